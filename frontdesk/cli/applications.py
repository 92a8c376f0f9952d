"""`frontdesk operator applications|approve|reject|suspend`: reviews applications."""

from uuid import UUID

import click

from frontdesk.activity.operator_acts import About
from frontdesk.applications.queries.reviews import find_application_id, list_applications
from frontdesk.applications.review import approve, reject, suspend
from frontdesk.applications.types import ApplicationStatus
from frontdesk.cli.console import as_json, change_database, in_database, show_rows
from frontdesk.postgres.pool import Connection
from frontdesk.problems import or_not_found
from frontdesk.server.database import print_status

_COLUMNS = ("slug", "name", "developer", "status", "version", "submitted_at", "businesses")
_reason = click.option("--reason", required=True, help="Shown to the developer and to businesses that installed it.")
_version = click.option(
    "--version",
    type=click.IntRange(min=0),
    required=True,
    help="The version that you reviewed; `frontdesk operator applications` lists it.",
)


@click.command("applications")
@click.option(
    "--status",
    type=click.Choice([*(status.value for status in ApplicationStatus), "all"]),
    default=ApplicationStatus.IN_REVIEW.value,
    show_default=True,
)
@as_json
def list_applications_command(status: str, *, as_json: bool) -> None:
    """List applications, those that have waited longest first."""
    filtered = None if status == "all" else ApplicationStatus(status)
    show_rows(in_database(lambda conn: list_applications(conn, filtered)), _COLUMNS, as_json=as_json)


@click.command("approve")
@click.argument("slug")
@_version
@click.option("--reason", default="", help="Stored with the decision.")
def approve_application(slug: str, version: int, reason: str) -> None:
    """Approve an application, so that businesses can install it. Ends a suspension."""

    async def work(conn: Connection) -> None:
        await approve(conn, await _get_id(conn, slug), None, version, reason)

    change_database(work, "application.approved", About(subject=slug, detail=reason))
    print_status(f"{slug} is approved")


@click.command("reject")
@click.argument("slug")
@_version
@_reason
def reject_application(slug: str, version: int, reason: str) -> None:
    """Reject an application and return it to its developer."""

    async def work(conn: Connection) -> None:
        await reject(conn, await _get_id(conn, slug), None, version, reason)

    change_database(work, "application.rejected", About(subject=slug, detail=reason))
    print_status(f"{slug} is rejected")


@click.command("suspend")
@click.argument("slug")
@_reason
def suspend_application(slug: str, reason: str) -> None:
    """Suspend an application at every business until it is approved again."""

    async def work(conn: Connection) -> None:
        await suspend(conn, await _get_id(conn, slug), None, reason)

    change_database(work, "application.suspended", About(subject=slug, detail=reason))
    print_status(f"{slug} is suspended at every business")


async def _get_id(conn: Connection, slug: str) -> UUID:
    return or_not_found(await find_application_id(conn, slug), "application")
