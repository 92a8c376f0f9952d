"""The changelog on the command line: read it, hold the code against it, publish."""

import sys
from collections.abc import Iterable
from datetime import UTC, datetime

import click

from frontdesk.apis.openapi.changelog.types import Change
from frontdesk.apis.openapi.changelog.versions import FOLDER, entries, publish, unpublished
from frontdesk.server.database import print_status


@click.command()
@click.option("--check", is_flag=True, help="Fail when the code changed an interface and nobody has published it.")
@click.option(
    "--publish", "publishing", is_flag=True, help="Keep the code's descriptions as the newest published ones."
)
def changelog(*, check: bool, publishing: bool) -> None:
    """Print what changed from each published description to the next."""
    if check or publishing:
        waiting = unpublished()
        for name, changes in waiting.items():
            click.echo("\n".join([f"{name}:", *lines(changes)]))
        if not waiting:
            click.echo("the last published descriptions are those of the code")
        elif publishing:
            print_status(f"published {publish(FOLDER, datetime.now(UTC).date())}")
        else:
            print_status(
                "frontdesk: the code's descriptions differ from the last published ones: frontdesk changelog --publish"
            )
            sys.exit(1)
        return
    for entry in entries():
        click.echo("\n".join([f"{entry.date or 'earlier'}  {entry.interface}: {entry.title}", *lines(entry.changes)]))


def lines(changes: Iterable[Change]) -> list[str]:
    return [f"  {change.kind}{', breaking' * change.breaking}: {change.where} {change.text}" for change in changes]
