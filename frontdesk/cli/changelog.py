"""`frontdesk changelog`: prints, checks and publishes the changelog of the APIs."""

import sys
from collections.abc import Iterable
from datetime import UTC, datetime

import click

from frontdesk.apis.openapi.publishing import publish, unpublished
from frontdesk.changelog.types import Change
from frontdesk.changelog.versions import FOLDER, entries
from frontdesk.server.database import print_status


@click.command()
@click.option("--check", is_flag=True, help="Fail if the code has changed an API and the change is not published.")
@click.option("--publish", "publishing", is_flag=True, help="Publish the descriptions that the code generates.")
def changelog(*, check: bool, publishing: bool) -> None:
    """Print what changed between the published API descriptions."""
    if check or publishing:
        pending = unpublished()
        for name, changes in pending.items():
            click.echo("\n".join([f"{name}:", *lines(changes)]))
        if not pending:
            click.echo("the published descriptions match the code")
        elif publishing:
            print_status(f"published {publish(FOLDER, datetime.now(UTC).date())}")
        else:
            print_status(
                "frontdesk: the code differs from the published descriptions: run frontdesk changelog --publish"
            )
            sys.exit(1)
        return
    for entry in entries():
        click.echo("\n".join([f"{entry.date or 'earlier'}  {entry.interface}: {entry.title}", *lines(entry.changes)]))


def lines(changes: Iterable[Change]) -> list[str]:
    return [f"  {change.kind}{', breaking' * change.breaking}: {change.where} {change.text}" for change in changes]
