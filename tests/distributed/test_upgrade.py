"""A database that was distributed by an early version gets every later migration."""

from uuid import uuid4

import pytest

from frontdesk.postgres.citus.distribute import COORDINATOR_TABLES, distribute, tenant_tables
from frontdesk.postgres.pool import connect
from frontdesk.postgres.schema.migrate import migrate
from frontdesk.postgres.schema.migration_files import read_functions, read_migrations
from frontdesk.server.database import functions_folder, migrations_folder
from tests.support.repetitions import LONG_SECONDS
from tests.support.servers.citus import COPY_SECONDS, join_nodes, node_addresses
from tests.support.servers.clusters import connect_as_admin, in_database

pytestmark = [
    pytest.mark.torture,
    pytest.mark.timeout(COPY_SECONDS),
    pytest.mark.skipif(not LONG_SECONDS, reason="`make torture` runs it: it migrates and distributes a database"),
]
FREE = {"statement_timeout": "0", "lock_timeout": "0"}


async def test_tables_of_later_migrations_are_distributed_too(cluster_dsn: str) -> None:
    name = f"early_{uuid4().hex}"
    nodes = [in_database(address, name) for address in node_addresses(cluster_dsn)]
    for address in nodes:
        raw = await connect_as_admin(address)
        await raw.execute(f"CREATE DATABASE {name}")
        await raw.close()
    await join_nodes(nodes)
    migrations, functions = read_migrations(migrations_folder()), read_functions(functions_folder())
    raw = await connect(nodes[0], settings=FREE)
    try:
        await migrate(raw, migrations[:1], lambda _line: None)
        await distribute(raw, lambda _line: None)
        assert await migrate(raw, migrations, lambda _line: None, functions) == len(migrations) - 1
        rows = await raw.fetch("SELECT logicalrelid::regclass::text FROM pg_dist_partition WHERE partmethod = 'h'")
        assert {row[0] for row in rows} == {"tenants", *await tenant_tables(raw)} - {*COORDINATOR_TABLES}
    finally:
        await raw.close()
