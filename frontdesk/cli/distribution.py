"""`frontdesk distribute`: spread a database over the nodes of a Citus cluster."""

import click

from frontdesk.cli.console import recorded
from frontdesk.config import read_settings
from frontdesk.errors import StartupError
from frontdesk.postgres.citus.coordinator import check_cluster, is_distributing
from frontdesk.postgres.citus.distribute import distribute as distribute_database
from frontdesk.postgres.pool import citus_address
from frontdesk.runtime.async_stop_signals import run_async
from frontdesk.server.database import migrated_connection, open_connection, print_status


@click.command()
def distribute() -> None:
    """Distribute the database over the nodes of a Citus cluster, by business.

    With data it copies one table after the other, so stop every `serve` and `worker` first. If it is interrupted, run
    it again: it goes on where it stopped.
    """
    settings = read_settings()
    if settings.database_url is None:
        raise StartupError("the embedded database has one node: set FRONTDESK_DATABASE_URL to a Citus coordinator")
    dsn = citus_address(settings.database_url)
    with recorded(dsn, "database.distributed"):
        count = run_async(_distribute(dsn))
    print_status(
        f"distributed {count} tables: start the service with FRONTDESK_DISTRIBUTED=citus"
        if count
        else "the database is distributed"
    )


async def _distribute(dsn: str) -> int:
    async with open_connection(dsn) as raw:
        await check_cluster(raw)
        if not await is_distributing(raw):
            async with migrated_connection(dsn):
                pass
        return await distribute_database(raw, print_status)
