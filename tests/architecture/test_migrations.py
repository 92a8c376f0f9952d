"""No migration keeps programs waiting while it reads or rewrites a table, and an expand breaks none that runs."""

from pathlib import Path

import pytest

import frontdesk
from frontdesk.postgres.schema.migration_effects import refusals
from frontdesk.postgres.schema.migration_files import Migration, read_migrations

_FOLDER = Path(frontdesk.__file__).parent / "postgres" / "migrations"
_NEXT_VERSION = "9.0.0"


def test_no_migration_is_refused() -> None:
    assert refusals(read_migrations(_FOLDER)) == []


def _refused(*files: str, contract: bool = False, in_batches: bool = False) -> list[str]:
    programs_from = _NEXT_VERSION if contract else None
    return refusals([Migration(n, f"{n}", sql, b"", programs_from, in_batches) for n, sql in enumerate(files, 1)])


@pytest.mark.parametrize(
    "sql",
    [
        "ALTER TABLE orders ADD code uuid DEFAULT gen_random_uuid()",
        "ALTER TABLE orders ADD COLUMN at timestamptz NOT NULL DEFAULT clock_timestamp()",
        "ALTER TABLE orders ADD n bigserial",
        "ALTER TABLE orders ADD n integer GENERATED ALWAYS AS (version + 1) STORED",
        "ALTER TABLE orders ADD n integer NOT NULL",
        "ALTER TABLE orders ADD n integer CHECK (n > 0)",
        "ALTER TABLE orders ADD plan text REFERENCES plans",
        "ALTER TABLE orders ADD a text, ALTER COLUMN total TYPE numeric(20, 3)",
        "ALTER TABLE orders ALTER note SET NOT NULL",
        "ALTER TABLE orders ADD CONSTRAINT positive CHECK (total >= 0)",
        "ALTER TABLE orders ADD FOREIGN KEY (tenant_id) REFERENCES tenants",
        "ALTER TABLE orders ADD UNIQUE (tenant_id, note)",
        "ALTER TABLE orders SET LOGGED",
        "ALTER DOMAIN money_amount ADD CHECK (VALUE >= 0)",
        "CREATE INDEX orders_note ON orders (note)",
        "CREATE UNIQUE INDEX orders_note ON orders (note)",
        "UPDATE orders SET note = ''",
        "DELETE FROM orders",
        "INSERT INTO vouchers SELECT FROM orders",
        "TRUNCATE orders",
        "LOCK TABLE orders",
        "CLUSTER orders",
        "VACUUM FULL orders",
        "DO $$ BEGIN UPDATE orders SET note = ''; END $$",
    ],
)
def test_what_locks_or_rewrites_a_table_for_long_is_refused(sql: str) -> None:
    assert len(_refused(sql)) == 1
    assert len(_refused(sql, contract=True)) == 1


@pytest.mark.parametrize(
    "sql",
    [
        "ALTER TABLE orders RENAME COLUMN note TO remark",
        "ALTER TABLE orders RENAME TO sales",
        "ALTER TABLE orders DROP COLUMN note",
        "ALTER INDEX orders_note RENAME TO orders_remark",
        "DROP INDEX CONCURRENTLY orders_note",
        "DROP TABLE orders",
        "DROP FUNCTION greet()",
        "DROP VIEW sales",
    ],
)
def test_what_breaks_running_programs_belongs_in_a_contract(sql: str) -> None:
    assert [line.rpartition(": ")[2] for line in _refused(sql)] == ["belongs in a contract"]
    assert _refused(sql, contract=True) == []


@pytest.mark.parametrize(
    "sql",
    [
        "ALTER TABLE orders ADD n integer NOT NULL DEFAULT 0, ADD at timestamptz DEFAULT now()",
        "ALTER TABLE orders ADD CONSTRAINT positive CHECK (total >= 0) NOT VALID",
        "ALTER TABLE orders ADD CONSTRAINT known FOREIGN KEY (tenant_id) REFERENCES tenants NOT VALID",
        "ALTER TABLE orders VALIDATE CONSTRAINT positive",
        "ALTER TABLE orders ADD CONSTRAINT once UNIQUE USING INDEX orders_once",
        "ALTER TABLE orders DROP CONSTRAINT positive",
        "ALTER TABLE orders ALTER note SET DEFAULT '', SET (fillfactor = 90)",
        "CREATE INDEX CONCURRENTLY orders_note ON orders (note)",
        "CREATE TABLE vouchers (n integer); CREATE INDEX vouchers_n ON vouchers (n); UPDATE vouchers SET n = 1",
        "INSERT INTO plans (code) VALUES ('gold')",
    ],
)
def test_what_takes_a_moment_is_not_refused(sql: str) -> None:
    assert _refused(sql) == []


def test_not_null_follows_a_check_that_was_validated_in_a_migration_before() -> None:
    added = "ALTER TABLE orders ADD CONSTRAINT has_note CHECK (note IS NOT NULL) NOT VALID"
    validated, not_null = (
        "ALTER TABLE orders VALIDATE CONSTRAINT has_note",
        "ALTER TABLE orders ALTER note SET NOT NULL",
    )
    assert _refused(added, validated, not_null) == []
    assert len(_refused(added, not_null)) == 1
    assert len(_refused(added, validated, not_null.replace("note", "source"))) == 1


def test_a_table_is_not_read_while_a_lock_is_held() -> None:
    added = "ALTER TABLE orders ADD CONSTRAINT positive CHECK (total >= 0) NOT VALID"
    assert len(_refused(f"{added}; ALTER TABLE orders VALIDATE CONSTRAINT positive")) == 1


def test_concurrently_has_a_file_of_its_own() -> None:
    assert (
        "a file of its own" in _refused("CREATE INDEX CONCURRENTLY o ON orders (note); GRANT SELECT ON orders TO x")[0]
    )


def test_batches_are_one_statement_with_a_limit() -> None:
    batch = "UPDATE orders SET note = '' WHERE ctid = ANY (ARRAY(SELECT ctid FROM orders WHERE note IS NULL LIMIT 9))"
    assert _refused(batch, in_batches=True) == []
    assert _refused("UPDATE orders SET note = ''", in_batches=True) != []
    assert _refused(f"{batch}; {batch}", in_batches=True) != []
