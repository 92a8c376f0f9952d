"""Every table and every function is where it belongs, and a later version can migrate."""

import asyncio
import shutil
from pathlib import Path

from frontdesk.postgres.citus.distribute import COORDINATOR_TABLES, REFERENCE_TABLES
from frontdesk.postgres.pool import connect
from frontdesk.postgres.schema.migrate import migrate
from frontdesk.postgres.schema.migration_files import read_functions, read_migrations
from frontdesk.server.database import functions_folder, migrations_folder
from tests.support.programs.commands import invoke

LATER = """-- migration: expand
CREATE TABLE vouchers (tenant_id uuid NOT NULL, id uuid NOT NULL, order_id uuid, PRIMARY KEY (tenant_id, id));
SELECT distribute_table('vouchers');
ALTER TABLE vouchers ADD FOREIGN KEY (tenant_id, order_id) REFERENCES orders;
ALTER TABLE orders ADD voucher_note text;
ALTER TABLE orders RENAME COLUMN voucher_note TO voucher_text;
"""
FUNCTION = """
CREATE OR REPLACE FUNCTION count_vouchers(p_tenant uuid) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
BEGIN RETURN (SELECT count(*) FROM vouchers WHERE tenant_id = p_tenant); END $$;
"""


async def test_tables_are_on_their_nodes(dsn: str) -> None:
    raw = await connect(dsn)
    rows = await raw.fetch("SELECT logicalrelid::regclass::text AS name, partmethod FROM pg_dist_partition")
    kinds: dict[str, set[str]] = {}
    for row in rows:
        kinds.setdefault(row["partmethod"].decode(), set()).add(row["name"])
    # Citus knows those of the coordinator that refer to users or to applications.
    assert kinds["n"] - {*COORDINATOR_TABLES} == {*REFERENCE_TABLES}
    assert not kinds["h"] & {*REFERENCE_TABLES, *COORDINATOR_TABLES}
    colocated = await raw.fetchval("SELECT count(DISTINCT colocationid) FROM pg_dist_partition WHERE partmethod = 'h'")
    assert colocated == 1
    await raw.close()


async def test_distributing_again_changes_nothing(dsn: str) -> None:
    given = {"FRONTDESK_DATABASE_URL": dsn, "FRONTDESK_DISTRIBUTED": "citus"}
    outcome = await asyncio.to_thread(invoke, ["distribute"], given)
    assert (outcome.exit_code, outcome.stderr) == (0, "the database is distributed\n")


def write_later_version(folder: Path) -> None:
    """The migrations and functions of this version, one more of each, and a function whose text has changed."""
    shutil.copytree(functions_folder(), folder / "functions")
    (folder / "functions" / "count_vouchers.sql").write_text(FUNCTION)
    with (folder / "functions" / "uuid_v7.sql").open("a") as changed:
        changed.write("-- changed\n")
    shutil.copytree(migrations_folder(), folder / "migrations")
    number = len(list((folder / "migrations").iterdir())) + 1
    (folder / "migrations" / f"{number:04}_vouchers.sql").write_text(LATER)


async def test_a_later_version_migrates(empty_dsn: str, tmp_path: Path) -> None:
    write_later_version(tmp_path)
    migrations, functions = read_migrations(tmp_path / "migrations"), read_functions(tmp_path / "functions")
    raw = await connect(empty_dsn)
    assert await migrate(raw, migrations, lambda _line: None, functions) == 1
    assert await raw.fetchval("SELECT count_vouchers(gen_random_uuid())") == 0
    argument = await raw.fetchval(
        """
        SELECT distribution_argument_index FROM pg_catalog.pg_dist_object
        WHERE classid = 'pg_proc'::regclass AND objid = 'count_vouchers'::regproc
        """
    )
    assert argument == 0
    await raw.close()


async def test_final_records_cannot_be_changed(dsn: str) -> None:
    """Their trigger exists on every shard."""
    raw = await connect(dsn)
    rows = await raw.fetch(
        """
        SELECT result FROM run_command_on_shards('invoices',
            $$SELECT count(*) FROM pg_trigger WHERE tgrelid = '%s'::regclass AND NOT tgisinternal$$)
        """
    )
    assert {row["result"] for row in rows} == {"1"}
    await raw.close()


async def test_a_worker_cannot_distribute(dsn: str) -> None:
    given = {"FRONTDESK_DATABASE_URL": dsn.replace("coordinator", "worker1"), "FRONTDESK_DISTRIBUTED": "citus"}
    outcome = await asyncio.to_thread(invoke, ["distribute"], given)
    assert outcome.exit_code == 2
    assert outcome.stderr.startswith("frontdesk: this node is a worker")
