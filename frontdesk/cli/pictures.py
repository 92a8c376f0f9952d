"""`frontdesk pictures`: where the pictures of businesses are."""

import sys
from uuid import UUID

import click

from frontdesk.activity.operator_acts import About
from frontdesk.cli.bucket import open_bucket
from frontdesk.cli.console import change_in_steps, in_database, record_command
from frontdesk.config import Settings, read_settings
from frontdesk.pictures.bucket_queries import count_pictures
from frontdesk.pictures.compare import Compared, compare_bucket
from frontdesk.pictures.move import Moved, move_to_bucket, move_to_database
from frontdesk.postgres.pool import Connection
from frontdesk.server.database import print_status

_REPORT_EVERY = 500
_MAX_SHOWN = 20


@click.group()
def pictures() -> None:
    """Move pictures between the database and the bucket, and compare the two."""


@pictures.command()
@click.option("--to", "place", type=click.Choice(["bucket", "database"]), required=True)
@click.option("--tenant", "tenant_id", type=click.UUID, help="Only those of this business.")
def move(place: str, tenant_id: UUID | None) -> None:
    """Move all pictures to the bucket, or back to the database. The service may be running.

    Set FRONTDESK_PICTURES first: it says where new pictures are stored. A move that was interrupted goes on where it
    stopped. Exits with status 1 if objects are missing in the bucket.
    """
    moved = move_pictures(read_settings(), place, tenant_id)
    if moved.missing:
        print_status(f"{moved.missing} are not in the bucket: `frontdesk pictures check` names them")
    sys.exit(1 if moved.missing else 0)


def move_pictures(settings: Settings, place: str, tenant_id: UUID | None) -> Moved:
    work = move_to_bucket if place == "bucket" else move_to_database

    async def run(conn: Connection) -> Moved:
        total = await count_pictures(conn, tenant_id, in_bucket=place == "database")
        shown = 0

        def report(moved: int) -> None:
            nonlocal shown
            if moved - shown >= _REPORT_EVERY:
                shown = moved
                print_status(f"moved {moved:,} of {total:,} pictures")

        async with open_bucket(settings) as store:
            moved = await work(conn, store, tenant_id, report)
        await record_command(conn, "pictures.moved", About(tenant_id, detail=f"{moved.pictures} to the {place}"))
        return moved

    moved = change_in_steps(run)
    print_status(f"{moved.pictures:,} pictures are in the {place} now")
    return moved


@pictures.command()
@click.option("--remove", is_flag=True, help="Have the service remove what is not used, an hour from now.")
def check(*, remove: bool) -> None:
    """Compare the bucket with the database: after a restore of one of them, or when in doubt.

    Exits with status 1 if objects are missing.
    """
    settings = read_settings()

    async def compare(conn: Connection) -> Compared:
        async with open_bucket(settings) as store:
            found = await compare_bucket(conn, store, remove=remove)
        if remove:
            await record_command(conn, "pictures.unused_removed", About(detail=str(found.unused)))
        return found

    found = change_in_steps(compare) if remove else in_database(compare)
    click.echo(f"{found.used:>8}  used")
    click.echo(f"{found.unused:>8}  not used{', removed in an hour' if remove and found.unused else ''}")
    click.echo(f"{len(found.missing):>8}  missing")
    for key in found.missing[:_MAX_SHOWN]:
        click.echo(f"          {key}")
    sys.exit(1 if found.missing else 0)
