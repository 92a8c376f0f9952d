import asyncio
import hashlib
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import asyncpg
import pytest
from asyncpg import Record

from frontdesk.errors import StartupError
from frontdesk.postgres.pool import Connection, connect
from frontdesk.postgres.schema.migrate import migrate
from frontdesk.postgres.schema.migration_files import read_migrations
from frontdesk.server.database import migrations_folder
from tests.support.servers.clusters import connect_as_admin, in_database
from tests.support.waiting import eventually

pytestmark = pytest.mark.every_statement

MIGRATE = "import sys; from frontdesk.server.database import migrate_now; migrate_now(sys.argv[1])"


@pytest.fixture
async def bare_dsn(cluster_dsn: str, worker_id: str) -> AsyncIterator[str]:
    """A database without a single table."""
    name = f"bare_{worker_id}"
    admin = await connect_as_admin(cluster_dsn)
    await admin.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
    await admin.execute(f"CREATE DATABASE {name} TEMPLATE template0")
    yield in_database(cluster_dsn, name)
    await admin.execute(f"DROP DATABASE {name} WITH (FORCE)")
    await admin.close()


@pytest.fixture
async def bare(bare_dsn: str) -> AsyncIterator["asyncpg.Connection[Record]"]:
    raw = await connect(bare_dsn)
    yield raw
    await raw.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    add(tmp_path, "0001_first.sql", "CREATE TABLE first (n integer); INSERT INTO first VALUES (1);")
    add(tmp_path, "0002_second.sql", "CREATE TABLE second (n integer);")
    return tmp_path


def add(folder: Path, name: str, sql: str, head: str = "expand") -> None:
    (folder / name).write_text(f"-- migration: {head}\n{sql}")


async def tables(raw: "asyncpg.Connection[Record]") -> set[str]:
    rows = await raw.fetch("SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace")
    return {row["relname"] for row in rows}


def digest_of(path: Path) -> bytes:
    """Without the head: files were applied before there were heads."""
    return hashlib.sha256(path.read_bytes().partition(b"\n")[2]).digest()


def silent(_line: str) -> None: ...


@pytest.mark.one_server
@pytest.mark.parametrize("processes", [2, 5])
async def test_of_several_processes_that_migrate_at_once_one_works_and_all_succeed(
    bare_dsn: str, bare: "asyncpg.Connection[Record]", processes: int
) -> None:
    started = [
        await asyncio.create_subprocess_exec(sys.executable, "-c", MIGRATE, bare_dsn, stderr=asyncio.subprocess.PIPE)
        for _ in range(processes)
    ]
    outcomes = [await process.communicate() for process in started]
    said = [line for _, errors in outcomes for line in errors.decode().splitlines()]
    expected = read_migrations(migrations_folder())
    assert [process.returncode for process in started] == [0] * processes, said
    assert [line for line in said if line.startswith("migrating")] == [
        f"migrating {m.number}/{len(expected)}: {m.name}" for m in expected
    ]
    recorded = await bare.fetch("SELECT number, name, digest FROM schema_migrations ORDER BY number")
    assert [tuple(row) for row in recorded] == [(m.number, m.name, m.digest) for m in expected]


async def test_each_migration_is_recorded_with_the_digest_of_its_file_and_reported(
    bare: "asyncpg.Connection[Record]", folder: Path
) -> None:
    messages: list[str] = []
    assert await migrate(bare, read_migrations(folder), messages.append) == 2
    assert messages == ["migrating 1/2: 0001_first.sql", "migrating 2/2: 0002_second.sql"]
    recorded = {row["name"]: row["digest"] for row in await bare.fetch("SELECT name, digest FROM schema_migrations")}
    assert recorded == {name: digest_of(folder / name) for name in ("0001_first.sql", "0002_second.sql")}


async def test_only_what_is_missing_is_applied_and_a_database_that_has_all_is_left_alone(
    bare: "asyncpg.Connection[Record]", folder: Path
) -> None:
    await migrate(bare, read_migrations(folder), silent)
    add(folder, "0003_third.sql", "INSERT INTO first VALUES (3);")
    messages: list[str] = []
    assert await migrate(bare, read_migrations(folder), messages.append) == 1
    assert await migrate(bare, read_migrations(folder), messages.append) == 0
    assert messages == ["migrating 1/1: 0003_third.sql"]
    assert await bare.fetchval("SELECT array_agg(n ORDER BY n) FROM first") == [1, 3]


async def test_a_file_that_was_changed_after_it_was_applied_is_refused(
    bare: "asyncpg.Connection[Record]", folder: Path
) -> None:
    await migrate(bare, read_migrations(folder), silent)
    add(folder, "0001_first.sql", "CREATE TABLE first (n bigint);")
    add(folder, "0003_third.sql", "CREATE TABLE third ();")
    with pytest.raises(StartupError, match=r"0001_first\.sql differs"):
        await migrate(bare, read_migrations(folder), silent)
    assert "third" not in await tables(bare)


@pytest.mark.parametrize(("head", "program", "runs"), [
    ("expand", "0.1.0", True),
    ("contract, programs from 0.10.0", "0.9.1", False),
    ("contract, programs from 0.10.0", "0.10.0", True),
])  # fmt: skip
async def test_a_program_runs_on_a_newer_database_until_a_contract_needs_a_later_one(
    bare: "asyncpg.Connection[Record]", folder: Path, head: str, program: str, runs: bool
) -> None:
    known = read_migrations(folder)
    add(folder, "0003_third.sql", "CREATE TABLE third ();", head)
    add(folder, "0004_fourth.sql", "CREATE TABLE fourth ();")
    await migrate(bare, read_migrations(folder), silent, program="0.10.0")
    if runs:
        assert await migrate(bare, known, silent, program=program) == 0
        return
    line = r"Frontdesk 0\.9\.1, and the database needs 0\.10\.0 or newer since 0003_third\.sql: install 0\.10\.0"
    with pytest.raises(StartupError, match=line):
        await migrate(bare, known, silent, program=program)


@pytest.mark.parametrize("head", ["", "-- migration: widen\n", "-- migration: contract\n", "\n-- migration: expand\n"])
def test_a_migration_without_a_head_is_refused(folder: Path, head: str) -> None:
    (folder / "0003_third.sql").write_text(f"{head}CREATE TABLE third ();")
    with pytest.raises(StartupError, match=r"0003_third\.sql has no head: its first line must be"):
        read_migrations(folder)


async def test_a_migration_that_fails_leaves_the_database_at_the_one_before(
    bare: "asyncpg.Connection[Record]", folder: Path
) -> None:
    add(folder, "0003_third.sql", "CREATE TABLE third (); DELETE FROM first; SELECT 1 / 0;")
    with pytest.raises(StartupError, match=r"0003_third\.sql failed and changed nothing \(division by zero\)"):
        await migrate(bare, read_migrations(folder), silent)
    assert await tables(bare) == {"schema_migrations", "first", "second"}
    assert await bare.fetchval("SELECT array_agg(number ORDER BY number) FROM schema_migrations") == [1, 2]
    assert await bare.fetchval("SELECT count(*) FROM first") == 1
    add(folder, "0003_third.sql", "CREATE TABLE third ();")
    assert await migrate(bare, read_migrations(folder), silent) == 1


async def test_the_second_process_says_once_that_it_waits(
    bare_dsn: str, bare: "asyncpg.Connection[Record]", folder: Path
) -> None:
    add(folder, "0003_held.sql", "SELECT pg_advisory_xact_lock(3);")
    messages: list[str] = []
    second, holder = await connect(bare_dsn), await connect(bare_dsn)
    await holder.execute("SELECT pg_advisory_lock(3)")
    first = asyncio.create_task(migrate(bare, read_migrations(folder), silent))
    await eventually(lambda: second.fetchval("SELECT to_regclass('second') IS NOT NULL"))
    waiting = asyncio.create_task(migrate(second, read_migrations(folder), messages.append))
    await eventually(lambda: messages)
    await holder.execute("SELECT pg_advisory_unlock(3)")
    assert (await first, await waiting) == (3, 0)
    assert messages == ["waiting for another process to migrate this database"]
    await holder.close()
    await second.close()


@pytest.mark.parametrize("name", ["0004_gap.sql", "0002_twice.sql", "3_short.sql", "0003-Dash.sql"])
def test_files_that_are_not_numbered_without_gaps_are_refused(folder: Path, name: str) -> None:
    add(folder, name, "")
    with pytest.raises(StartupError, match=r"numbered 0001|name it NNNN"):
        read_migrations(folder)


def test_a_folder_without_migrations_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(StartupError, match="contains no migrations"):
        read_migrations(tmp_path / "missing")


async def test_security_definer_functions_ignore_temporary_tables(conn: Connection) -> None:
    """Its triggers would run with these rights."""
    (row,) = await conn.fetch("""
        SELECT array_agg(proname::text) FILTER (WHERE path IS NULL OR path !~ ', pg_temp$') AS open, count(*) AS found
        FROM pg_proc LEFT JOIN LATERAL (
            SELECT setting AS path FROM unnest(proconfig) s (setting) WHERE setting LIKE 'search_path=%') p ON true
        WHERE prosecdef AND pronamespace = current_schema()::regnamespace""")
    assert row["found"] >= 3
    assert row["open"] is None
