"""A Citus cluster for the tests: a coordinator and two workers, each a PostgreSQL of this machine.

The programs are Debian's, or those of the folder in FRONTDESK_TEST_CITUS_BIN.
"""

import os
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from frontdesk.postgres.citus.distribute import distribute
from frontdesk.postgres.embedded.server import EmbeddedPostgres
from frontdesk.postgres.pool import connect

NAME = "citus"
MISSING = "PostgreSQL 15 cannot load the Citus extension: install it, or set FRONTDESK_TEST_CITUS_BIN to where it is"
COPY_SECONDS = 3600  # the limit of a test in which Citus copies every table; emulated processors need minutes
_NODES = ("coordinator", "worker1", "worker2")
_SPARE = "worker3"  # runs, and belongs to no cluster before a test adds it
_SETTINGS = {
    "shared_preload_libraries": "citus",
    "wal_level": "logical",  # a shard moves by logical replication
    "max_prepared_transactions": "600",
    "max_locks_per_transaction": "256",
    "citus.shard_count": "4",
    "citus.enable_statistics_collection": "off",
    "citus.allow_nested_distributed_execution": "on",  # `frontdesk distribute` sets it for one database
}


def citus_programs() -> Path | None:
    """The folder of a PostgreSQL 15 that has the extension."""
    folder = Path(os.environ.get("FRONTDESK_TEST_CITUS_BIN") or "/usr/lib/postgresql/15/bin")
    control = folder.parents[3] / "share" / "postgresql" / "15" / "extension" / "citus.control"
    return folder if control.exists() else None


def start_nodes(folder: Path, programs: Path, settings: dict[str, str]) -> list[tuple[EmbeddedPostgres, str]]:
    """Servers and their addresses, the coordinator first."""
    servers = [EmbeddedPostgres(folder / node, programs, {**settings, **_SETTINGS}) for node in (*_NODES, _SPARE)]
    return [(server, server.start()) for server in servers]


def is_citus(dsn: str) -> bool:
    return "citus." in dsn


def node_addresses(dsn: str) -> list[str]:
    """All nodes of the cluster of this coordinator; they differ in the folder of their socket alone."""
    return [dsn.replace(_NODES[0], node) for node in _NODES] if is_citus(dsn) else [dsn]


def spare_address(dsn: str) -> str:
    return dsn.replace(_NODES[0], _SPARE)


async def join_nodes(addresses: list[str]) -> None:
    """Makes one cluster of databases that have the same name on all nodes."""
    for address in addresses:
        await prepare_node(address)
    raw = await connect(addresses[0])
    await raw.execute("SELECT citus_set_coordinator_host($1, 5432)", socket_folder(addresses[0]))
    for address in addresses[1:]:
        await raw.execute("SELECT citus_add_node($1, 5432)", socket_folder(address))
    await raw.close()


async def prepare_node(address: str) -> None:
    raw = await connect(address)
    await raw.execute("CREATE EXTENSION citus")
    await raw.execute(f"ALTER SYSTEM SET citus.local_hostname = '{socket_folder(address)}'")
    if await raw.fetchval("SELECT EXISTS (SELECT FROM pg_settings WHERE name = 'output_plugin_libraries')"):
        await raw.execute(
            "ALTER SYSTEM SET output_plugin_libraries = pgoutput, test_decoding, citus"
        )  # isolates online
    await raw.fetchval("SELECT pg_reload_conf()")
    await raw.close()


async def distribute_template(dsn: str) -> None:
    raw = await connect(dsn)
    await distribute(raw, lambda _line: None)
    await raw.close()


async def close_template(dsn: str, name: str) -> None:
    """A database can be cloned while nobody uses it, and Citus has a process of its own in each."""
    raw = await connect(dsn)
    await raw.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
    await raw.execute("SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = $1", name)
    await raw.close()


def socket_folder(dsn: str) -> str:
    return parse_qs(urlsplit(dsn).query)["host"][0]
