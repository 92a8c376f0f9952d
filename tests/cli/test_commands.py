"""The commands of the operator, as real processes against a real database."""

import asyncio
import json
import os
import re
import shutil
import stat
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import asyncpg
import httpx2
import pytest
from asyncpg import Record
from click.testing import Result

from frontdesk.demo_data.create import create_sandbox
from frontdesk.postgres.embedded.server import EmbeddedPostgres
from frontdesk.postgres.pool import Connection, connect
from frontdesk.security.passwords import verify_password
from tests.factories.installation import insert_later_migration
from tests.factories.people import make_customer
from tests.factories.tenant_rows import ConnectionRows
from tests.support.programs.commands import invoke, run, run_here
from tests.support.servers.clusters import connect_as_admin, in_database
from tests.support.service import Service

pytestmark = pytest.mark.both_servers

_ABOUT_COPIES = re.compile(r"database\.(restored|backed_up)|command\.failed")
# Not logged, so that a copy leaves their rows out: a minute's counting, and documents that can be rendered.
FORGOTTEN = {"rate_windows", "throttles", "order_documents", "held_sending", "last_writes"}


async def command(dsn: str, *arguments: str, typed: str = "") -> Result:
    """In this process, because a hundred starts of Python would be most of the suite's time."""
    return await asyncio.to_thread(invoke, arguments, {"FRONTDESK_DATABASE_URL": dsn}, typed)


async def printed(dsn: str, *arguments: str, typed: str = "") -> str:
    outcome = await command(dsn, *arguments, typed=typed)
    assert outcome.exit_code == 0, outcome.stderr
    return outcome.stdout.strip()


async def refusal(dsn: str, *arguments: str, typed: str = "") -> str:
    """The one line, without its beginning."""
    outcome = await command(dsn, *arguments, typed=typed)
    assert (outcome.exit_code, outcome.stdout, outcome.stderr.count("\n")) == (2, "", 1), outcome.stderr
    return outcome.stderr.removeprefix("frontdesk: ").strip()


async def listed(dsn: str, noun: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(await printed(dsn, noun, "list", "--json"))
    return rows


@pytest.mark.one_server
async def test_a_business_is_made_listed_moved_between_plans_suspended_and_resumed(empty_dsn: str) -> None:
    made = await printed(
        empty_dsn, "tenant", "create", "Nour ستوديو", "--timezone", "Asia/Kuwait", "--currency", "KWD",
        *("--language", "ar", "--language", "en"),
    )  # fmt: skip
    (tenant,) = await listed(empty_dsn, "tenant")
    assert (tenant["id"], tenant["name"], tenant["plan"]) == (made, "Nour ستوديو", "starter")
    assert (tenant["languages"], tenant["suspended_at"], tenant["is_sandbox"]) == (["ar", "en"], None, False)
    await printed(empty_dsn, "tenant", "plan", made, "professional")
    await printed(empty_dsn, "tenant", "suspend", made)
    (tenant,) = await listed(empty_dsn, "tenant")
    assert tenant["plan"] == "professional"
    assert tenant["suspended_at"] is not None
    await printed(empty_dsn, "tenant", "resume", made)
    assert (await listed(empty_dsn, "tenant"))[0]["suspended_at"] is None
    raw = await connect(empty_dsn)
    assert await raw.fetchval("SELECT currency_decimals FROM tenants") == 3
    assert tuple(await raw.fetchrow("SELECT name, slug FROM branches") or ()) == ("Nour ستوديو", "nour-ستوديو")
    await raw.close()
    assert made in await printed(empty_dsn, "tenant", "list")


@pytest.mark.one_server
async def test_a_suspended_business_is_refused_at_once_and_served_again_when_resumed(service: Service) -> None:
    shop = await service.new_shop()
    assert (await shop.get("/branches")).status_code == 200
    await printed(service.dsn, "tenant", "suspend", str(shop.tenant_id), "--reason", "unpaid since March")
    (row,) = await shop.sql("SELECT suspended_reason FROM tenants WHERE id = $1")
    assert row["suspended_reason"] == "unpaid since March"
    for answer in (await shop.get("/branches"), await shop.key_call("GET", "/items")):
        assert (answer.status_code, answer.json()["error"]) == (403, "business_suspended")
    await printed(service.dsn, "tenant", "resume", str(shop.tenant_id))
    assert (await shop.get("/branches")).status_code == 200


@pytest.mark.one_server
@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"name": " "}, "name: Fill in this field."),
        ({"name": "x" * 201}, "at most 200"),
        ({"name": "a\tb"}, "name: Fill in this field."),
        ({"timezone": "Mars/Olympus"}, "timezone: 'Mars/Olympus' is not a time zone"),
        ({"timezone": "../../etc/passwd"}, "is not a time zone"),
        ({"currency": "sar"}, "'sar' is not a currency"),
        ({"currency": "XAU"}, "'XAU' is not a currency"),
        ({"currency": "CLF"}, "'CLF' is not a currency"),
        ({"language": "arabic!"}, "languages: Enter different codes"),
    ],
)
async def test_a_business_that_cannot_work_is_not_made(dsn: str, change: dict[str, str], word: str) -> None:
    given = {"name": "Nour", "timezone": "Asia/Riyadh", "currency": "SAR", "language": "en", **change}
    name = given.pop("name")
    options = [part for key, value in given.items() for part in (f"--{key}", value)]
    assert word in await refusal(dsn, "tenant", "create", name, *options)


@pytest.mark.one_server
async def test_a_sandbox_has_the_time_zone_it_is_given(empty_dsn: str) -> None:
    made = json.loads(await printed(empty_dsn, "sandbox", "--json", "--timezone", "America/Edmonton"))
    assert made["timezone"] == "America/Edmonton"
    for wrong in ("Mars/Olympus", "america/edmonton", "../UTC", ""):
        line = await refusal(empty_dsn, "sandbox", "--json", "--timezone", wrong)
        assert line == f"{wrong!r} is not a time zone: give a name such as Europe/Berlin"
    assert [tenant["timezone"] for tenant in await listed(empty_dsn, "tenant")] == ["America/Edmonton"]


@pytest.mark.one_server
async def test_nobody_is_made_or_changed_for_a_business_or_person_that_does_not_exist(empty_dsn: str) -> None:
    nobody = str(uuid4())
    assert await refusal(empty_dsn, "tenant", "suspend", nobody) == "No such business."
    assert await refusal(empty_dsn, "tenant", "plan", nobody, "starter") == "No such business."
    owner = ("user", "create", "a@example.com", "--name", "A", "--tenant", nobody)
    assert await refusal(empty_dsn, *owner) == "No such business."
    assert "No such person" in await refusal(empty_dsn, "user", "password", "a@example.com")
    assert await listed(empty_dsn, "user") == []


@pytest.mark.one_server
async def test_people_are_made_with_a_password_that_is_typed_or_shown_once(empty_dsn: str) -> None:
    tenant = await printed(empty_dsn, "tenant", "create", "Nour", "--timezone", "Asia/Riyadh", "--currency", "SAR")
    shown = await printed(empty_dsn, "user", "create", "Sara@Example.com", "--name", "Sara", "--tenant", tenant)
    assert (
        await printed(
            empty_dsn,
            "operator",
            "create",
            "op@example.com",
            "--name",
            "Op",
            "--password-stdin",
            typed="correct horse\n",
        )
        == ""
    )
    await printed(empty_dsn, "user", "join", "op@example.com", tenant, "--role", "cashier")
    sara, op = await listed(empty_dsn, "user")
    assert (sara["email"], sara["is_operator"]) == ("sara@example.com", False)
    assert sara["memberships"] == [{"tenant_id": tenant, "role": "owner"}]
    assert op["memberships"] == [{"tenant_id": tenant, "role": "cashier"}]
    assert await listed(empty_dsn, "operator") == [op]
    renewed = await printed(empty_dsn, "user", "password", "SARA@example.com")
    raw = await connect(empty_dsn)
    hashes = {row["email"]: row["password_hash"] for row in await raw.fetch("SELECT * FROM users")}
    await raw.close()
    assert await verify_password("correct horse", hashes["op@example.com"])
    assert await verify_password(renewed, hashes["sara@example.com"])
    assert not await verify_password(shown, hashes["sara@example.com"])


@pytest.mark.one_server
async def test_people_are_disabled_and_made_operators_but_the_last_operator_stays(empty_dsn: str) -> None:
    for email in ("one@example.com", "two@example.com"):
        await printed(empty_dsn, "user", "create", email, "--name", "A", "--password-stdin", typed="correct horse\n")
    await printed(empty_dsn, "operator", "grant", "One@Example.com")
    assert [one["email"] for one in await listed(empty_dsn, "operator")] == ["one@example.com"]
    last = "user: This is the last operator. Make another user an operator first."
    assert await refusal(empty_dsn, "operator", "revoke", "one@example.com") == last
    assert await refusal(empty_dsn, "user", "disable", "one@example.com") == last
    await printed(empty_dsn, "user", "disable", "two@example.com")
    assert "cannot sign in" in await refusal(empty_dsn, "operator", "grant", "two@example.com")
    await printed(empty_dsn, "user", "enable", "two@example.com")
    await printed(empty_dsn, "operator", "grant", "two@example.com")
    await printed(empty_dsn, "operator", "revoke", "one@example.com")
    people = {one["email"]: (one["is_operator"], one["disabled_at"]) for one in await listed(empty_dsn, "user")}
    assert people == {"one@example.com": (False, None), "two@example.com": (True, None)}
    assert "No such person" in await refusal(empty_dsn, "user", "disable", "nobody@example.com")


@pytest.mark.one_server
async def test_users_with_an_invalid_address_or_password_are_not_created(empty_dsn: str) -> None:
    create = ("user", "create", "--name", "Sara")
    await printed(empty_dsn, *create, "sara@example.com")
    assert await refusal(empty_dsn, *create, "SARA@example.com") == "email: This is already in use. Choose another one."
    assert await refusal(empty_dsn, *create, "sara") == "email: Enter an e-mail address such as name@example.com."
    short = await refusal(empty_dsn, *create, "b@example.com", "--password-stdin", typed="short\n")
    assert short == "password: Use at least 10 characters."


@pytest.fixture
def place() -> Iterator[Path]:
    """Not tmp_path, whose parents are closed to the user that root's server runs as."""
    folder = Path(tempfile.mkdtemp(prefix="fd-", dir="/tmp"))
    folder.chmod(0o711)
    yield folder
    shutil.rmtree(folder)


async def contents(dsn: str) -> dict[str, list[str]]:
    """Every table's rows as text, without what only one of two databases has: the records of a backup or a restore."""
    raw = await connect(dsn)
    names = await raw.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    found = {}
    for (name,) in names:
        rows = await raw.fetch(f'SELECT t::text AS line FROM "{name}" t ORDER BY 1')
        found[name] = [row["line"] for row in rows]
    await raw.close()
    found["operator_acts"] = [line for line in found["operator_acts"] if not _ABOUT_COPIES.search(line)]
    return {name: rows for name, rows in found.items() if name not in FORGOTTEN}


async def add_customers(raw: "asyncpg.Connection[Record]", tenant_id: UUID, until: asyncio.Event) -> int:
    """Each in a transaction of its own, in which the counter of the table moves too."""
    count = 0
    while not until.is_set():
        async with raw.transaction():
            await make_customer(ConnectionRows(Connection(raw), tenant_id))
        count += 1
        await asyncio.sleep(0)
    return count


@pytest.fixture
async def second_dsn(cluster_dsn: str, worker_id: str) -> AsyncIterator[str]:
    """A database without a single table, to restore into."""
    name = f"second_{worker_id}"
    admin = await connect_as_admin(cluster_dsn)
    await admin.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
    await admin.execute(f"CREATE DATABASE {name} TEMPLATE template0")
    yield in_database(cluster_dsn, name)
    await admin.execute(f"DROP DATABASE {name} WITH (FORCE)")
    await admin.close()


async def test_a_backup_under_writes_restores_to_one_moment_of_the_database(
    empty_dsn: str, second_dsn: str, tmp_path: Path
) -> None:
    raw = await connect(empty_dsn)
    sandbox = await create_sandbox(Connection(raw))
    file, done = tmp_path / "copy", asyncio.Event()
    writing = asyncio.create_task(add_customers(raw, sandbox.tenant_id, done))
    outcome = await command(empty_dsn, "backup", str(file))
    done.set()
    written = await writing
    await raw.close()
    assert outcome.exit_code == 0, outcome.stderr
    assert stat.S_IMODE(os.stat(file).st_mode) == 0o600
    assert os.listdir(tmp_path) == ["copy"]

    await printed(second_dsn, "restore", str(file))
    before, after = await contents(empty_dsn), await contents(second_dsn)
    customers = after.pop("customers")
    assert 30 < len(customers) < 30 + written
    assert set(customers) < set(before.pop("customers"))
    assert len(after.pop("tenant_counters")) == len(before.pop("tenant_counters"))
    assert after == before
    restored = await connect(second_dsn)
    counted = await restored.fetchval("SELECT value FROM tenant_counters WHERE name = 'rows:customers'")
    await restored.close()
    assert counted == len(customers)


async def test_a_restore_wants_an_empty_database_or_force_and_an_undamaged_backup(
    empty_dsn: str, second_dsn: str, tmp_path: Path
) -> None:
    for dsn in (empty_dsn, second_dsn):
        await printed(dsn, "sandbox", "--json")
    file = tmp_path / "copy"
    await printed(empty_dsn, "backup", str(file))
    assert "already exists" in await refusal(empty_dsn, "backup", str(file))
    kept = await contents(second_dsn)
    assert "not empty" in await refusal(second_dsn, "restore", str(file))

    whole = file.read_bytes()
    damaged = tmp_path / "damaged"
    middle = len(whole) // 2
    changed = whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :]
    for wrong in (whole[:-1], whole[:-2000], whole[:middle], whole[:20], changed):
        damaged.write_bytes(wrong)
        assert "is damaged" in await refusal(second_dsn, "restore", "--force", str(damaged))
        assert await contents(second_dsn) == kept

    await printed(second_dsn, "restore", "--force", str(file))
    assert await contents(second_dsn) == await contents(empty_dsn)


@pytest.mark.one_server
async def test_what_is_no_backup_of_ours_is_refused(empty_dsn: str, second_dsn: str, tmp_path: Path) -> None:
    assert "nothing to back up" in await refusal(second_dsn, "backup", str(tmp_path / "copy"))
    (tmp_path / "text").write_text("hello")
    assert "is not a backup" in await refusal(empty_dsn, "restore", str(tmp_path / "text"))
    assert "No such file" in await refusal(empty_dsn, "restore", str(tmp_path / "nothing"))
    assert "cannot write" in (await command(empty_dsn, "backup", str(tmp_path / "no" / "folder"))).stderr
    raw = await connect(empty_dsn)
    await insert_later_migration(Connection(raw))
    await raw.close()
    await printed(empty_dsn, "backup", str(tmp_path / "later"))
    assert "newer version" in await refusal(second_dsn, "restore", str(tmp_path / "later"))


@pytest.mark.one_server
async def test_a_database_in_use_is_not_replaced(service: Service, tmp_path: Path) -> None:
    async with httpx2.AsyncClient(timeout=120) as http:
        assert (await http.get(f"{service.origin}/health/ready")).status_code == 200
    await printed(service.dsn, "backup", str(tmp_path / "copy"))
    assert "stop it first" in await refusal(service.dsn, "restore", "--force", str(tmp_path / "copy"))


def test_the_embedded_database_is_not_restored_while_it_is_used(
    place: Path,
) -> None:
    data, file = place / "data", place / "copy"
    made = json.loads(run_here("sandbox", "--json", data_dir=data).stdout)
    assert run_here("backup", str(file), data_dir=data).returncode == 0
    with EmbeddedPostgres(data):
        assert run("backup", str(place / "beside"), data_dir=data).returncode == 0
        assert "stop it first" in run("restore", "--force", str(file), data_dir=data).stderr
    restored = run_here("restore", str(file), data_dir=place / "other")
    assert (restored.returncode, restored.stdout) == (0, ""), restored.stderr
    (tenant,) = json.loads(run_here("tenant", "list", "--json", data_dir=place / "other").stdout)
    assert tenant["id"] == made["tenant_id"]
