"""The PostgreSQL servers that the suite runs on."""

import asyncio
import itertools
import os
import shutil
import sys
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit, urlunsplit

import asyncpg
import pytest

from frontdesk.errors import StartupError
from frontdesk.postgres.embedded import server as embedded_server
from frontdesk.postgres.embedded.server import EmbeddedPostgres
from frontdesk.postgres.pool import Connection, citus_address, connect
from frontdesk.postgres.schema.migrate import migrate
from frontdesk.postgres.schema.migration_files import read_functions, read_migrations
from frontdesk.postgres.time_zones import store_zone
from frontdesk.server.database import functions_folder, migrations_folder
from tests.support.connections import connection_pool
from tests.support.servers.citus import (
    NAME,
    citus_programs,
    close_template,
    distribute_template,
    is_citus,
    join_nodes,
    node_addresses,
    start_nodes,
)

DEBIAN_15 = Path("/usr/lib/postgresql/15/bin")
INSTALL_15 = "PostgreSQL 15 is missing: apt-get install postgresql-15"
_TEMPLATE = "template_frontdesk"
_CLONES = itertools.count()
# Tests move their businesses into these by SQL; a zone can only be given once it is stored.
_ZONES = """
UTC Asia/Riyadh Asia/Dubai Asia/Kolkata Africa/Cairo Africa/Casablanca America/Edmonton America/Havana America/New_York
Australia/Lord_Howe CET Europe/Berlin Pacific/Auckland
"""
# Tests commit thousands of small things and never need them back after a power cut.
_QUICK = {"synchronous_commit": "off", "full_page_writes": "off", "max_connections": "300"}


class Cluster(NamedTuple):
    name: str
    dsn: str  # of the migrated template
    servers: list[EmbeddedPostgres]
    folder: Path

    def stop(self) -> None:
        for server in self.servers:
            server.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


def start_clusters(folder: Path, *, with_citus: bool) -> list[Cluster]:
    programs_of: dict[str, Path | None] = {"embedded": None}
    if (DEBIAN_15 / "postgres").exists():
        programs_of["postgres15"] = DEBIAN_15
    elif os.environ.get("CI") == "true":
        raise SystemExit(INSTALL_15)
    folder.chmod(0o755)
    with _without_sync(), ThreadPoolExecutor() as threads:  # until they are there, no test process can begin
        starts = [threads.submit(_start, name, folder / name, bin_dir) for name, bin_dir in programs_of.items()]
        clusters = [start.result() for start in starts]
    programs = citus_programs() if with_citus else None
    if programs is not None:
        try:
            clusters.append(_start_citus(folder / NAME, programs))
        except StartupError as error:  # the extension was built for another minor version
            sys.stderr.write(f"the tests on Citus are skipped: {error}\n")
    return clusters


@contextmanager
def _without_sync() -> Iterator[None]:
    """To create or drop a database waits for the disk, and tests do that all the time. Services always sync."""
    real = embedded_server._command
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(embedded_server, "_command", lambda *words: [*real(*words), "-c", "fsync=off"])
        yield


def _start_citus(folder: Path, programs: Path) -> Cluster:
    folder.mkdir()
    nodes = start_nodes(folder, programs, _QUICK)
    dsn = citus_address(nodes[0][1])
    asyncio.run(_make_distributed_template(dsn))
    return Cluster(NAME, in_database(dsn, _TEMPLATE), [server for server, _ in nodes], folder)


async def _make_distributed_template(dsn: str) -> None:
    template = await make_undistributed(dsn, _TEMPLATE)
    await distribute_template(template)
    for address in node_addresses(dsn):
        await close_template(address, _TEMPLATE)


async def make_undistributed(dsn: str, name: str) -> str:
    """A migrated database of a cluster, with all of its rows on the coordinator."""
    nodes = node_addresses(dsn)
    for address in nodes:
        raw = await connect_as_admin(address)
        await raw.execute(f"CREATE DATABASE {name}")
        await raw.close()
    await join_nodes([in_database(address, name) for address in nodes])
    await migrate_template(in_database(dsn, name))
    return in_database(dsn, name)


def _start(name: str, folder: Path, bin_dir: Path | None) -> Cluster:
    server = EmbeddedPostgres(folder, bin_dir, _QUICK)
    dsn = server.start()
    asyncio.run(_make_template(dsn))
    return Cluster(name, in_database(dsn, _TEMPLATE), [server], folder)


async def _make_template(dsn: str) -> None:
    raw = await connect_as_admin(dsn)
    await raw.execute(f"CREATE DATABASE {_TEMPLATE}")
    await raw.close()
    await migrate_template(in_database(dsn, _TEMPLATE))


async def migrate_template(dsn: str) -> None:
    template = await connect(dsn)
    migrations, functions = read_migrations(migrations_folder()), read_functions(functions_folder())
    await migrate(template, migrations, lambda _line: None, functions)
    for name in _ZONES.split():
        await store_zone(Connection(template), name)
    await template.close()


async def connect_as_admin(dsn: str) -> "asyncpg.Connection[asyncpg.Record]":
    """To create and drop databases, without the limits of requests: on a busy machine a checkpoint takes longer."""
    return await connect(in_database(dsn, "postgres"), settings={"statement_timeout": "0", "lock_timeout": "0"})


def in_database(dsn: str, name: str) -> str:
    return urlunsplit(urlsplit(dsn)._replace(path=f"/{name}"))


@asynccontextmanager
async def cloned_database(template_dsn: str, name: str) -> AsyncIterator[str]:
    """On every node of a cluster: a clone of each node's database is a cluster again.

    There each has a name of its own and goes with the cluster: a process of Citus keeps it in use, so that dropping it
    takes long and may fail.
    """
    is_cluster = is_citus(template_dsn)
    if is_cluster:
        name = f"{name}_{next(_CLONES)}"
    nodes = [await connect_as_admin(address) for address in node_addresses(template_dsn)]
    for node in nodes:
        await node.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        await node.execute(f"CREATE DATABASE {name} TEMPLATE {_TEMPLATE}")
    try:
        async with connection_pool(in_database(template_dsn, name)):
            yield in_database(template_dsn, name)
    finally:
        for node in nodes:
            if not is_cluster:
                await node.execute(f"DROP DATABASE {name} WITH (FORCE)")
            await node.close()
