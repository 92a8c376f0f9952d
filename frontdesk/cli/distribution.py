"""`frontdesk distribute`: spread a database over the nodes of a Citus cluster."""

import click

from frontdesk.config import read_settings
from frontdesk.errors import StartupError
from frontdesk.postgres.distribute import check_cluster
from frontdesk.postgres.distribute import distribute as distribute_database
from frontdesk.runtime.async_stop_signals import run_async
from frontdesk.server.database import database_address, migrate_now, open_connection, print_status


@click.command()
def distribute() -> None:
    """Distribute the database over the nodes of a Citus cluster, by business."""
    settings = read_settings()
    if settings.database_url is None:
        raise StartupError("the embedded database has one node: set FRONTDESK_DATABASE_URL to a Citus coordinator")
    with database_address(settings) as dsn:
        run_async(_check(dsn))
        migrate_now(dsn)
        count = run_async(_distribute(dsn))
    print_status(f"distributed {count} tables" if count else "the database is distributed")


async def _check(dsn: str) -> None:
    async with open_connection(dsn) as raw:
        await check_cluster(raw)


async def _distribute(dsn: str) -> int:
    async with open_connection(dsn) as raw:
        return await distribute_database(raw, print_status)
