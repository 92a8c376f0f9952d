"""The rules of the house that a reader relies on, read from the catalogue of the database and from the source."""

import ast
import json
import os
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from frontdesk.auth.request_log import REJECTED_CODES
from frontdesk.http.errors import STATUS, Code
from frontdesk.postgres.pool import Connection
from tests.architecture.joined_statements import JOINED_FROM_CONSTANTS
from tests.architecture.python_files import ROOT, PythonFile, files_of_client, files_of_package
from tests.architecture.statements import statements

SKIPPED = {".git", ".venv", ".frontdesk", ".hypothesis", "build", "dist", "node_modules"}

# The platform tables, which belong to no tenant. docs/architecture.md lists them with the reasons.
SHARED_TABLES = {
    "account_messages",
    "announced_publications",
    "application_pictures",
    "application_reviews",
    "application_days",
    "application_vitals",
    "application_reports",
    "application_scopes",
    "application_versions",
    "applications",
    "developers",
    "payment_method_types",
    "pending_sign_ins",
    "plans",
    "recovery_codes",
    "schema_functions",
    "schema_migrations",
    "second_factors",
    "sessions",
    "tenant_slugs",
    "tenants",
    "throttles",
    "time_zone_offsets",
    "time_zones",
    "users",
    "encryption_keys",
    "held_sending",
    "operator_acts",
}
# A trigger that writes another table hides a lock and cannot be distributed.
TRIGGER_FUNCTIONS = {
    "forbid_activity_change": "raises an error",
    "forbid_change": "raises an error",
}
# Copied from the business, whose own column refuses it.
NAN_REFUSED_ELSEWHERE = {"credit_notes.tax_rate", "invoices.tax_rate"}

# Statements outside the queries of a noun.
SQL_ELSEWHERE = {
    "cli/backups.py": "looks at a database that may hold anything",
}
SQL_FOLDERS = {"activity", "invariants", "postgres", "security", "accounts", "auth", "demo_data"}
# Statements of these are in files.
MIGRATING = {"postgres/pool.py", "postgres/schema/apply_migration.py", "postgres/schema/replace_functions.py"}
# Mails without a mail server, and what a backup contains.
ABOUT_EVERY_BUSINESS = {
    "invariants/counts.py count_rows",
}


def test_signals_and_timeouts_are_handled_in_one_place() -> None:
    """A handler that raises leaves locks behind; asyncio.wait_for and asyncio.timeout of some Python 3.11 can lose a
    cancellation or a timeout.
    """
    found = {
        f"{file.name}: {name}"
        for file in files_of_package()
        for name in re.findall(
            r"signal\.signal\b|add_signal_handler|asyncio\.run\b|asyncio\.wait_for|asyncio\.timeout\(", file.text
        )
    }
    assert found == {
        "__main__.py: signal.signal",
        "runtime/stop_signals.py: signal.signal",
        "runtime/async_stop_signals.py: asyncio.run",
        "server/metrics.py: asyncio.run",
        "server/database_metrics.py: asyncio.run",
    }


async def constraints(conn: Connection, kinds: str) -> list[tuple[str, str, list[str], str | None, list[str]]]:
    """Table, constraint, its columns, and the table and columns it points to."""
    rows = await conn.fetch(
        """
        SELECT c.conrelid::regclass::text AS owner, c.conname, c.contype::text AS kind,
               NULLIF(c.confrelid, 0)::regclass::text AS target,
               ARRAY(SELECT attname::text FROM unnest(c.conkey) WITH ORDINALITY AS k (number, place)
                     JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.number ORDER BY place) AS own,
               ARRAY(SELECT attname::text FROM unnest(c.confkey) WITH ORDINALITY AS k (number, place)
                     JOIN pg_attribute a ON a.attrelid = c.confrelid AND a.attnum = k.number ORDER BY place) AS theirs
        FROM pg_constraint c WHERE c.connamespace = 'public'::regnamespace AND c.contype::text = ANY ($1)
        """,
        list(kinds),
    )
    return [(row["owner"], row["conname"], row["own"], row["target"], row["theirs"]) for row in rows]


async def owned_tables(conn: Connection) -> set[str]:
    rows = await conn.fetch(
        "SELECT attrelid::regclass::text AS name FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid "
        "WHERE attname = 'tenant_id' AND attnotnull AND relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace"
    )
    return {row["name"] for row in rows}


async def all_tables(conn: Connection) -> set[str]:
    rows = await conn.fetch(
        "SELECT oid::regclass::text AS name FROM pg_class "
        "WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace"
    )
    return {row["name"] for row in rows}


async def test_only_the_tables_named_here_belong_to_no_business(conn: Connection) -> None:
    of_the_benchmark = {"reference_requests"}  # the tests of its references add it to the same database
    assert await all_tables(conn) - await owned_tables(conn) - of_the_benchmark == SHARED_TABLES


async def test_every_key_of_a_business_begins_with_the_business(conn: Connection) -> None:
    owned = await owned_tables(conn)
    keys = [(table, name, columns) for table, name, columns, _, _ in await constraints(conn, "pu") if table in owned]
    assert {table for table, name, columns in keys if columns[0] == "tenant_id"} == owned
    assert [key for key in keys if "tenant_id" not in key[2]] == []


async def test_platform_tables_are_documented(conn: Connection) -> None:
    documented = set(re.findall(r"`(\w+)`", (ROOT / "docs" / "architecture.md").read_text()))
    assert SHARED_TABLES - documented == set()


async def test_exclusion_constraints_contain_the_tenant(conn: Connection) -> None:
    rows = await conn.fetch(
        """
        SELECT c.conrelid::regclass::text AS owner, c.conname, pg_get_constraintdef(c.oid) AS definition
        FROM pg_constraint c WHERE c.connamespace = 'public'::regnamespace AND c.contype = 'x'
        """
    )
    assert [row["conname"] for row in rows] == ["bookings_no_overlap"]
    assert [row["conname"] for row in rows if "(tenant_id" not in row["definition"]] == []


async def test_foreign_keys_of_a_tenant_contain_the_tenant_or_refer_to_a_platform_table(conn: Connection) -> None:
    owned = await owned_tables(conn)
    for table, name, columns, target, _ in await constraints(conn, "f"):
        if table in owned and (target == "tenants" or target not in SHARED_TABLES):
            assert columns[0] == "tenant_id", f"{table}.{name}"


async def test_no_foreign_key_with_the_tenant_sets_columns_to_null(conn: Connection) -> None:
    """Citus refuses it, with a list of columns too."""
    rows = await conn.fetch(
        """
        SELECT c.conname, pg_get_constraintdef(c.oid) AS definition FROM pg_constraint c
        WHERE c.connamespace = 'public'::regnamespace AND c.contype = 'f' AND c.confdeltype IN ('n', 'd')
        """
    )
    assert rows
    assert [row["conname"] for row in rows if "(tenant_id" in row["definition"]] == []


async def test_no_trigger_writes(conn: Connection) -> None:
    rows = await conn.fetch(
        """
        SELECT p.proname, p.prosrc FROM pg_proc p
        WHERE p.oid IN (SELECT tgfoid FROM pg_trigger WHERE NOT tgisinternal)
        """
    )
    assert {row["proname"] for row in rows} == TRIGGER_FUNCTIONS.keys()
    statement = re.compile(r"\b(?<!')(INSERT|UPDATE|DELETE|PERFORM)\b")  # in quotes it is a kind of change
    written = {row["proname"] for row in rows if statement.search(row["prosrc"])}
    assert written == set()


async def test_every_unique_index_of_a_business_holds_the_business(conn: Connection) -> None:
    rows = await conn.fetch(
        """
        SELECT i.indrelid::regclass::text AS owner, i.indexrelid::regclass::text AS name,
               ARRAY(SELECT attname::text FROM pg_attribute a
                     WHERE a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)) AS columns
        FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
        WHERE i.indisunique AND c.relnamespace = 'public'::regnamespace
        """
    )
    owned = await owned_tables(conn)
    found = {row["name"]: row["columns"] for row in rows if row["owner"] in owned}
    assert len(found) >= len(owned)
    assert [name for name, columns in found.items() if "tenant_id" not in columns] == []


async def test_no_reference_can_cross_from_one_business_to_another(conn: Connection) -> None:
    owned = await owned_tables(conn)
    references = [one for one in await constraints(conn, "f") if one[3] in owned]
    assert len(references) > 30
    for table, name, own, _, theirs in references:
        assert ("tenant_id", "tenant_id") in zip(own, theirs, strict=True), f"{table}.{name}"


async def test_a_shared_table_never_points_to_a_row_of_a_business(conn: Connection) -> None:
    owned = await owned_tables(conn)
    assert [one for one in await constraints(conn, "f") if one[0] in SHARED_TABLES and one[3] in owned] == []


async def test_no_number_column_can_hold_what_is_not_a_number(conn: Connection) -> None:
    columns = await conn.fetch(
        """
        SELECT c.oid::regclass::text AS owner, a.attname AS name, c.oid, a.attnum, t.typname AS type
        FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_type t ON t.oid = a.atttypid
        WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND a.attnum > 0
          AND (a.atttypid = 'numeric'::regtype OR t.typbasetype = 'numeric'::regtype
               OR a.atttypid IN ('float4'::regtype, 'float8'::regtype))
        """
    )
    assert len(columns) > 15
    taking = [c for c in columns if not await refuses_nan(conn, c["type"], c["oid"], c["attnum"])]
    assert {f"{c['owner']}.{c['name']}" for c in taking} == NAN_REFUSED_ELSEWHERE


async def refuses_nan(conn: Connection, type_name: str, table: int, column: int) -> bool:
    """By its domain, or by a check of this column alone."""
    checks = await conn.fetch(
        """
        SELECT pg_get_expr(k.conbin, k.conrelid) AS test, a.attname AS name
        FROM pg_constraint k JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = $2
        WHERE k.contype = 'c' AND k.conrelid = $1 AND k.conkey = ARRAY[$2::smallint]
        """,
        table,
        column,
    )
    for check in checks:
        if not await conn.fetchval(f"SELECT {check['test']} FROM (SELECT 'NaN'::numeric AS {check['name']}) one"):
            return True
    if type_name == "numeric":
        return False
    return bool(
        await conn.fetchval(
            "SELECT EXISTS (SELECT FROM pg_constraint WHERE contypid = $1::regtype "
            "AND pg_get_constraintdef(oid) LIKE '%VALUE <> ''NaN''%')",
            type_name,
        )
    )


async def test_no_extension_is_needed(conn: Connection) -> None:
    assert [row["extname"] for row in await conn.fetch("SELECT extname FROM pg_extension")] == ["plpgsql"]


def sources() -> list[PythonFile]:
    return [*files_of_package(), *files_of_client()]


@cache
def project_files() -> list[Path]:
    found = []
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in SKIPPED and "cache" not in name]
        found += [Path(folder, name) for name in names if name not in SKIPPED and "cache" not in name]
    return sorted(path for path in found if path.is_file())


def test_nothing_is_imported_inside_a_function() -> None:
    found = [
        f"{file.path.relative_to(ROOT)}:{inner.lineno}"
        for file in sources()
        for outer in file.nodes
        if isinstance(outer, ast.FunctionDef | ast.AsyncFunctionDef)
        for inner in ast.walk(outer)
        if isinstance(inner, ast.Import | ast.ImportFrom)
    ]
    assert found == []


def test_no_file_is_too_long_to_be_read_at_once() -> None:
    lengths = {path: len(path.read_text().splitlines()) for path in project_files() if path.suffix == ".py"}
    assert len(lengths) > 100
    limits = {path: 400 if path.is_relative_to(ROOT / "tests") else 350 for path in lengths}
    assert {path.relative_to(ROOT).as_posix() for path, lines in lengths.items() if lines > limits[path]} == set()


def test_no_folder_has_too_many_files_to_be_seen_at_once() -> None:
    sizes = Counter(path.parent for path in project_files() if path.suffix == ".py")
    assert {folder.relative_to(ROOT).as_posix(): size for folder, size in sizes.items() if size > 30} == {}


def test_files_and_classes_have_specific_names() -> None:
    empty = {"utils", "util", "helpers", "helper", "manager", "base", "common", "misc"}
    for file in sources():
        words = {word for part in file.path.relative_to(ROOT).with_suffix("").parts for word in part.split("_")}
        assert not words & empty, file.path
        for node in file.nodes:
            if isinstance(node, ast.ClassDef):
                assert not re.search("(Utils?|Helpers?|Manager|Base|Common)$", node.name), f"{file.path}: {node.name}"


async def test_only_our_own_time_zone_rules_are_used(conn: Connection) -> None:
    """One set of rules: the wheel's, which `values/time.py` reads and `time_zone_offsets` holds."""
    other = re.compile(r"AT\s+TIME\s+ZONE\s+(?!'UTC')|\btimezone\s*\(\s*(?!'UTC')|pg_timezone", re.IGNORECASE)
    functions = await conn.fetch(
        "SELECT proname, pg_get_functiondef(oid) AS text FROM pg_proc "
        "WHERE pronamespace = 'public'::regnamespace AND prokind = 'f'"
    )
    assert [row["proname"] for row in functions if other.search(row["text"])] == []
    assert [file.name for file in files_of_package() if other.search(file.text)] == []
    made = re.compile(r"ZoneInfo\(|ZoneInfo\.from_file|ZoneInfo\.no_cache")
    assert [file.name for file in files_of_package() if made.search(file.text)] == ["values/time.py"]


def test_every_error_has_its_status() -> None:
    assert set(STATUS) == set(Code)
    assert set(Code) >= REJECTED_CODES
    assert all(400 <= status < 600 for status in STATUS.values())


@pytest.mark.parametrize("name", ["run", "dev"])
def test_locked_python_requirements_have_hashes_and_no_index_url(name: str) -> None:
    lines = (ROOT / "requirements" / f"{name}.txt").read_text().splitlines()
    begins = re.compile(r"[a-z0-9][a-z0-9._-]*(\[.*\])?==", re.IGNORECASE)
    pinned = [number for number, line in enumerate(lines) if begins.match(line)]
    assert len(pinned) > 20
    for number in pinned:
        assert "--hash=sha256:" in lines[number + 1], lines[number]
    allowed = re.compile(r"[a-z0-9][^ ]*==[^ ]+( ;.*)? \\|    --hash=sha256:[0-9a-f]{64}( \\)?|\s*#.*|", re.IGNORECASE)
    assert [line for line in lines if not allowed.fullmatch(line) or "://" in line] == []


def test_locked_node_packages_have_hashes_and_no_registry() -> None:
    packages = json.loads((ROOT / "package-lock.json").read_text())["packages"]
    found = {name: package for name, package in packages.items() if name}
    assert found
    assert [name for name, package in found.items() if "integrity" not in package or "resolved" in package] == []
    assert "://" not in (ROOT / "package-lock.json").read_text("utf-8")


def test_no_file_names_the_machine_or_the_registry_it_was_made_with() -> None:
    # Written apart, so that this file does not name them either.
    words = ["/" + "work/", r"\.\./" + "shared", "pypi" + r"\.org", "python" + "hosted", "--index" + "-url"]
    telling = re.compile("|".join(words))
    for path in project_files():
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            continue
        assert not telling.search(text), path


def test_statements_are_joined_from_constants_only() -> None:
    found: dict[str, set[str]] = {}
    for statement in statements():
        if statement.holes and statement.file not in MIGRATING:
            found.setdefault(statement.file, set()).update(statement.holes)
    assert found == JOINED_FROM_CONSTANTS


def test_statements_stand_in_the_queries_of_a_noun() -> None:
    files = {statement.file for statement in statements()}
    elsewhere = {
        file
        for file in files
        if not file.endswith("queries.py") and "/queries/" not in file and file.split("/")[0] not in SQL_FOLDERS
    }
    assert elsewhere == set(SQL_ELSEWHERE)


async def test_every_statement_about_a_business_names_the_business(conn: Connection) -> None:
    owned = "|".join(sorted(await owned_tables(conn)))
    about = re.compile(rf"\b(?:FROM|JOIN|INTO|UPDATE|TABLE)\s+(?:ONLY\s+)?({owned})\b", re.IGNORECASE)
    touching = [statement for statement in statements() if about.search(statement.text)]
    assert len(touching) > 50
    assert {str(one) for one in touching if "tenant_id" not in one.text} == ABOUT_EVERY_BUSINESS
