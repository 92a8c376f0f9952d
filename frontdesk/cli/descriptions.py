"""`frontdesk openapi`: prints the API descriptions."""

import click
import msgspec

from frontdesk.apis.openapi.build import NAMES, description_bytes


@click.command()
@click.argument("interface", type=click.Choice(NAMES), default=NAMES[0])
def openapi(interface: str) -> None:
    """Print the OpenAPI 3.1 description of an API."""
    click.echo(msgspec.json.format(description_bytes(interface), indent=2).decode())
