"""What a database says of itself as the coordinator of a Citus cluster, and what its sessions need."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import asyncpg
from asyncpg import Record

from frontdesk.errors import StartupError

Progress = Callable[[str], None]

ROOT_TABLE = "tenants"  # its id is the tenant_id of all others
# Exists while a database is being distributed: `distribute` remembers here what it has to create again.
KEYS_TABLE = "undistributed_keys"


async def check_distribution(raw: "asyncpg.Connection[Record]") -> None:
    """Refuses a database that is half distributed, and sessions for an ordinary one in a cluster."""
    if await is_distributing(raw):
        raise StartupError(
            "the database is being distributed: wait for `frontdesk distribute`, or run it again if it was interrupted"
        )
    plans = await raw.fetchval("SELECT current_setting('plan_cache_mode')")
    if plans == "force_generic_plan" and await is_distributed(raw):
        raise StartupError("the database is distributed: set FRONTDESK_DISTRIBUTED=citus")


async def is_distributing(raw: "asyncpg.Connection[Record]") -> bool:
    found: bool = await raw.fetchval("SELECT to_regclass($1) IS NOT NULL", KEYS_TABLE)
    return found


async def is_distributed(raw: "asyncpg.Connection[Record]") -> bool:
    if not await has_citus(raw):
        return False
    found: bool = await raw.fetchval(
        "SELECT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = to_regclass($1))", ROOT_TABLE
    )
    return found


async def check_cluster(raw: "asyncpg.Connection[Record]") -> None:
    if not await has_citus(raw):
        raise StartupError(
            "the database has no Citus extension: run CREATE EXTENSION citus in this database on every node, "
            "with shared_preload_libraries = 'citus', and add the workers with citus_add_node"
        )
    if await raw.fetchval("SELECT groupid <> 0 FROM pg_dist_local_group"):
        raise StartupError("this node is a worker: point FRONTDESK_DATABASE_URL at the coordinator")
    if not await raw.fetchval("SELECT count(*) FROM pg_dist_node WHERE groupid <> 0 AND noderole = 'primary'"):
        raise StartupError(
            "the cluster has no workers: run SELECT citus_set_coordinator_host(…), then "
            "SELECT citus_add_node(host, port) for each worker, on the coordinator"
        )


async def has_citus(raw: "asyncpg.Connection[Record]") -> bool:
    found: bool = await raw.fetchval("SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')")
    return found


async def configure_transaction(raw: "asyncpg.Connection[Record]") -> None:
    """For a transaction that changes the schema; without Citus these settings mean nothing.

    Sequential, because it changes tables and the tables that they refer to. The triggers are safe: they refuse changes
    of final records, and touch no other row. Shards are hidden, because they are not tables of the schema.
    """
    await raw.execute("""
        SET LOCAL client_min_messages = warning;
        SET LOCAL citus.multi_shard_modify_mode = 'sequential';
        SET LOCAL citus.enable_unsafe_triggers = on;
        SET LOCAL citus.override_table_visibility = on""")


@contextmanager
def told_in_one_line(what: str) -> Iterator[None]:
    """What a node refuses, or that it does not answer, ends the command with one line."""
    try:
        yield
    except asyncpg.OutOfMemoryError as error:
        raise StartupError(
            "the nodes have too few locks for this: set max_locks_per_transaction = 256 on every node, "
            "restart them, and run it again"
        ) from error
    except asyncpg.PostgresError as error:
        reason = str(error).splitlines()[0].removeprefix("ERROR:  ")  # of a worker, told by the coordinator
        hint = f". {error.hint}" if error.hint else ""
        raise StartupError(f"{what} ({reason}{hint})") from error
