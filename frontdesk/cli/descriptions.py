"""`frontdesk openapi`: prints the API descriptions."""

import click
import msgspec

from frontdesk.apis.openapi.build import NAMES, description, description_bytes
from frontdesk.packages.schema_types import schema_types


@click.command()
@click.argument("interface", type=click.Choice(NAMES), default=NAMES[0])
@click.option("--typescript", is_flag=True, help="As types of TypeScript.")
def openapi(interface: str, *, typescript: bool) -> None:
    """Print the OpenAPI 3.1 description of an API."""
    if typescript:
        click.echo(schema_types(description(interface)), nl=False)
        return
    click.echo(msgspec.json.format(description_bytes(interface), indent=2).decode())
