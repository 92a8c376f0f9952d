"""Migrations while others work: locks that are not there, indexes, changes in batches, functions of two versions."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING

import asyncpg
import pytest
from asyncpg import Record

from frontdesk.errors import StartupError
from frontdesk.postgres.pool import connect
from frontdesk.postgres.schema import apply_migration as runner
from frontdesk.postgres.schema.migrate import migrate
from frontdesk.postgres.schema.migration_files import Function, make_function, read_functions, read_migrations
from frontdesk.postgres.schema.migration_plan import plan_lines
from frontdesk.server.database import functions_folder, migrations_folder
from tests.support.waiting import eventually

if TYPE_CHECKING:
    Raw = asyncpg.Connection[Record]


@pytest.fixture
async def raw(empty_dsn: str) -> AsyncIterator["Raw"]:
    raw = await connect(empty_dsn)
    yield raw
    await raw.close()


@pytest.fixture
async def other(empty_dsn: str) -> AsyncIterator["Raw"]:
    raw = await connect(empty_dsn)
    yield raw
    await raw.close()


class Later:
    """This version with further migrations, whose folder is for this test only."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for path in migrations_folder().glob("*.sql"):
            (folder / path.name).write_bytes(path.read_bytes())
        self.said: list[str] = []

    def add(self, sql: str, head: str = "expand") -> str:
        name = f"{len(list(self.folder.iterdir())) + 1:04}_later.sql"
        (self.folder / name).write_text(f"-- migration: {head}\n{sql}")
        return name

    async def migrate(self, raw: "Raw", functions: list[Function] | None = None, **options: object) -> int:
        known = read_functions(functions_folder()) if functions is None else functions
        return await migrate(raw, read_migrations(self.folder), self.said.append, known, **options)  # type: ignore[arg-type]


@pytest.fixture
def later(tmp_path: Path) -> Later:
    return Later(tmp_path)


async def test_a_migration_gives_up_its_lock_and_tries_again(
    raw: "Raw", other: "Raw", later: Later, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others would wait behind it."""
    monkeypatch.setattr(runner, "LOCK_TIMEOUT", "10ms")
    name = later.add("ALTER TABLE plans ADD note text;")
    reader = other.transaction()
    await reader.start()
    await other.execute("LOCK TABLE plans IN ACCESS SHARE MODE")
    working = asyncio.create_task(later.migrate(raw))
    await eventually(lambda: any("waits" in line for line in later.said))
    await reader.rollback()
    assert await working == 1
    assert later.said[:2] == [
        f"migrating 1/1: {name}",
        f"{name} waits for other transactions: try 2 follows in 0.5 s",
    ]


async def test_a_migration_that_never_gets_its_lock_changes_nothing(
    raw: "Raw", other: "Raw", later: Later, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "LOCK_TIMEOUT", "10ms")
    monkeypatch.setattr(runner, "MAX_TRIES", 1)
    later.add("CREATE TABLE vouchers (); ALTER TABLE plans ADD note text;")
    async with other.transaction():
        await other.execute("LOCK TABLE plans IN ACCESS SHARE MODE")
        with pytest.raises(StartupError, match=r"did not get its locks in 1 tries and changed nothing: end the oldest"):
            await later.migrate(raw)
    assert await raw.fetchval("SELECT to_regclass('vouchers')") is None


async def test_an_index_is_built_beside_writers_and_again_after_an_interruption(
    raw: "Raw", other: "Raw", later: Later
) -> None:
    """Interrupted by an entry that is there twice: such an index stays, and is not valid."""
    await other.execute("CREATE TABLE vouchers (code text); INSERT INTO vouchers VALUES ('A'), ('A')")
    later.add("CREATE UNIQUE INDEX CONCURRENTLY vouchers_code ON vouchers (code);")
    with pytest.raises(StartupError, match="what it did so far stays"):
        await later.migrate(raw)
    is_valid = "SELECT indisvalid FROM pg_index WHERE indexrelid = 'vouchers_code'::regclass"
    assert await raw.fetchval(is_valid) is False
    await other.execute("TRUNCATE vouchers")
    assert await later.migrate(raw) == 1
    assert "vouchers_code was not finished: it is built again" in later.said
    assert await raw.fetchval(is_valid) is True
    assert await raw.fetchval("SELECT current_setting('lock_timeout')") == "3s"


async def test_an_index_that_was_built_is_kept_when_its_record_is_missing(
    raw: "Raw", other: "Raw", later: Later
) -> None:
    await other.execute("CREATE TABLE vouchers (code text); CREATE INDEX vouchers_code ON vouchers (code)")
    later.add(
        "CREATE INDEX CONCURRENTLY vouchers_code ON vouchers (code); DROP INDEX CONCURRENTLY plans_code_open_api_keys;"
    )
    kept = await raw.fetchval("SELECT 'vouchers_code'::regclass::oid")
    assert await later.migrate(raw) == 1
    assert await raw.fetchval("SELECT 'vouchers_code'::regclass::oid") == kept


async def test_rows_are_changed_in_batches_with_progress_and_the_rest_after_an_interruption(
    raw: "Raw", other: "Raw", later: Later, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "_REPORT_SECONDS", 0.0)
    await other.execute(
        "CREATE TABLE vouchers (n integer, CHECK (n <> 25)); "
        "INSERT INTO vouchers SELECT -g FROM generate_series(1, 25) g"
    )
    name = later.add(
        "UPDATE vouchers SET n = -n WHERE ctid = ANY (ARRAY("
        "SELECT ctid FROM vouchers WHERE n < 0 ORDER BY n DESC LIMIT 10));",
        "expand in batches",
    )
    with pytest.raises(StartupError, match="what it did so far stays"):
        await later.migrate(raw)
    assert await raw.fetchval("SELECT count(*) FROM vouchers WHERE n < 0") == 5
    await other.execute("ALTER TABLE vouchers DROP CONSTRAINT vouchers_n_check")
    assert await later.migrate(raw) == 1
    assert await raw.fetchval("SELECT count(*) FROM vouchers WHERE n < 0") == 0
    lines = [line for line in later.said if line.startswith(name)]
    assert lines == [f"{name}: {rows}" for rows in ("10 rows so far", "20 rows so far", "5 rows so far", "5 rows")]


def _functions(text: str) -> list[Function]:
    body = f"CREATE OR REPLACE FUNCTION greet() RETURNS text LANGUAGE sql STABLE AS $$ SELECT '{text}' $$"
    return [make_function("greet", body)]


async def test_an_older_program_uses_the_functions_of_a_newer_one_until_it_is_told_to_go_back(
    raw: "Raw", later: Later
) -> None:
    greeting, generation = "SELECT greet()", "SELECT rendering_generation()"
    await later.migrate(raw, _functions("old"), program="1.0.0")
    old = await raw.fetchval(generation)
    await later.migrate(raw, _functions("new"), program="1.1.0")
    new = await raw.fetchval(generation)
    assert old != new
    await later.migrate(raw, _functions("old"), program="1.0.0")
    assert (await raw.fetchval(greeting), await raw.fetchval(generation)) == ("new", new)
    await later.migrate(raw, _functions("old"), program="1.0.0", back=True)
    assert (await raw.fetchval(greeting), await raw.fetchval(generation)) == ("old", old)
    await later.migrate(raw, _functions("new"), program="1.1.0")
    assert (await raw.fetchval(greeting), await raw.fetchval(generation)) == ("new", new)


async def test_the_plan_names_locks_and_sizes_and_changes_nothing(raw: "Raw", later: Later) -> None:
    first = later.add("ALTER TABLE plans ADD note text; CREATE TABLE vouchers (plan text REFERENCES plans);")
    second = later.add("CREATE INDEX CONCURRENTLY plans_name ON plans (name);")
    third = later.add("ALTER TABLE plans DROP COLUMN name;", "contract, programs from 9.0.0")
    lines = await plan_lines(raw, read_migrations(later.folder), _functions("new"))
    size = await raw.fetchval("SELECT pg_size_pretty(pg_total_relation_size('plans'))")
    rows = await raw.fetchval("SELECT greatest(reltuples, 0)::bigint FROM pg_class WHERE relname = 'plans'")
    plans = f"on plans ({size}, about {rows} rows)"
    assert lines == [
        "3 migrations are missing, and 2 database functions have changed",
        f"{first} (expand)",
        f"  ACCESS EXCLUSIVE {plans} for a moment, readers and writers of it wait: ALTER TABLE plans ADD note text",
        (
            f"  SHARE ROW EXCLUSIVE {plans} for a moment, writers of it wait: "
            "CREATE TABLE vouchers (plan text REFERENCES plans)"
        ),
        f"{second} (expand)",
        (
            f"  SHARE UPDATE EXCLUSIVE {plans} while all of it is read, readers and writers go on: "
            "CREATE INDEX CONCURRENTLY plans_name ON plans (name)"
        ),
        f"{third} (contract: programs before 9.0.0 stop)",
        f"  ACCESS EXCLUSIVE {plans} for a moment, readers and writers of it wait: ALTER TABLE plans DROP COLUMN name",
        "nothing was changed",
    ]
    assert await raw.fetchval("SELECT to_regclass('vouchers')") is None
