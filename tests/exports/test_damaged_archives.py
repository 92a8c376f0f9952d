"""An archive that is damaged, foreign or contradicts itself is refused with one clear line, and changes nothing."""

import io
import json
import zipfile
from collections.abc import Callable
from uuid import uuid4

import msgspec
import pytest

from frontdesk.exports.problems import ArchiveProblem
from frontdesk.exports.restore import restore_archive
from frontdesk.pictures.encode import encode_picture
from frontdesk.postgres.pool import Connection
from frontdesk.problems import Problem
from frontdesk.tenants.types import Plan
from frontdesk.values.ids import uuid7
from tests.exports.test_archive import archive_of
from tests.factories.pictures import insert_picture
from tests.pictures.test_pictures import drawn
from tests.support.connections import pooled_connection
from tests.support.service import Service
from tests.support.shop import Shop

Change = Callable[[str, bytes], bytes]


@pytest.fixture(scope="module")
async def shop(service: Service) -> Shop:
    """Not that of the session, to which other tests write events that no act would emit."""
    return await service.new_shop()


def changed(archive: io.BytesIO, change: Change) -> bytes:
    copy = io.BytesIO()
    with zipfile.ZipFile(archive) as source, zipfile.ZipFile(copy, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            target.writestr(name, change(name, source.read(name)))
    return copy.getvalue()


def only(name: str, content: Callable[[bytes], bytes]) -> Change:
    return lambda found, text: content(text) if found == name else text


def manifest(**changes: object) -> Change:
    return only("manifest.json", lambda text: json.dumps({**json.loads(text), **changes}).encode())


def tenant(**changes: object) -> Change:
    def change(text: bytes) -> bytes:
        whole = json.loads(text)
        return json.dumps({**whole, "tenant": {**whole["tenant"], **changes}}).encode()

    return only("manifest.json", change)


def an_act(**changes: object) -> Change:
    row = {
        "id": str(uuid7()),
        "created_at": "2026-01-01T00:00:00Z",
        "actor_type": "user",
        "actor_id": str(uuid7()),
        "action": "item.updated",
        "subject": "Cut",
        "before": {"price": "10"},
        "after": {"price": "12"},
    }
    return only("activity.jsonl", lambda _: json.dumps({**row, **changes}).encode() + b"\n")


PAGE_SETTINGS: dict[str, object] = {
    "about": {},
    "cover_id": None,
    "asks_for_code": False,
    "customers_move": True,
    "customers_cancel": True,
    "payment_instructions": {},
    "version": 1,
    "updated_at": "2026-01-01T00:00:00Z",
}


def without_table(name: str) -> Change:
    def change(text: bytes) -> bytes:
        whole = json.loads(text)
        return json.dumps({**whole, "tables": {k: v for k, v in whole["tables"].items() if k != name}}).encode()

    return only("manifest.json", change)


def first_row(table: str, **changes: object) -> Change:
    def change(text: bytes) -> bytes:
        first, _, rest = text.partition(b"\n")
        return json.dumps({**json.loads(first), **changes}).encode() + b"\n" + rest

    return only(f"{table}.jsonl", change)


def counter(name: str, value: int) -> Change:
    def change(text: bytes) -> bytes:
        rows = [json.loads(line) for line in text.splitlines()]
        return b"".join(
            json.dumps({**row, "value": value} if row["name"] == name else row).encode() + b"\n" for row in rows
        )

    return only("tenant_counters.jsonl", change)


DAMAGES = {
    "no JSON": only("customers.jsonl", lambda _: b"{]\n"),
    "a line is cut": only("customers.jsonl", lambda text: text[: len(text) // 2 - 7]),
    "not UTF-8": only("customers.jsonl", lambda _: b'{"id": "\xff"}\n'),
    "nested too deep": only("customers.jsonl", lambda _: b"[" * 100_000 + b"\n"),
    "an id that is none": only("order_lines.jsonl", lambda text: text.replace(b'"order_id" : "', b'"order_id" : "0')),
    "records twice": only("customers.jsonl", lambda text: text + text),
    "a customer of nobody": only("orders.jsonl", lambda _: b""),
    "an unknown zone": tenant(timezone="Mars/Olympus"),
    "a currency that is no text": tenant(currency=None),
    "a price that is no number": only(
        "items.jsonl", lambda text: text.replace(b'"price" : ', b'"price" : "x", "x" : ')
    ),
    "a column that the manifest does not name": first_row("customers", is_admin=True),
    "two rows in a line": only("customers.jsonl", lambda text: text.replace(b"\n", b",", 1)),
    "another program's manifest": only("manifest.json", lambda _: b"[]"),
    "another format": manifest(format=99),
    "a table without columns": manifest(tables={"customers": [], "orders": ["id"]}),
    "a table that the manifest does not name": without_table("customer_notes"),
    "an order that is not the sum of its lines": first_row("orders", sub_total=1_000_000, total=1_000_000),
    "more paid than the payments are": first_row("transactions", status="refused"),
    "numbers that will be given again": counter("order_number", 1),
    "a wrong number of rows": counter("rows:customers", 1),
    "a language that is none": tenant(languages=["en", "<b>"]),
    "a language that is no text": tenant(languages=[None]),
    "the same language twice": tenant(languages=["en", "en"]),
    "no languages": tenant(languages=[]),
    "other decimals than the currency has": tenant(currency_decimals=3),
    "an act that is no record": an_act(after="x"),
    "an act at a branch that is none": an_act(after={"branch_id": "x"}),
    "an act of tomorrow": an_act(created_at="2200-01-01T00:00:00Z"),
    "an act that is no name": an_act(action="x\r\ny"),
}
SITES = {
    "a line break": "https://a.example\r\nset-cookie: x=y",
    "another directive": "https://a.example; script-src *",
    "no site": "*",
    "nothing": None,
}


async def test_a_damaged_archive_is_refused_and_creates_nothing(shop: Shop, conn: Connection) -> None:
    whole = await archive_of(shop)
    for damage, change in DAMAGES.items():
        await refuse(conn, changed(whole, change), damage)


async def test_a_file_whose_bytes_changed_is_refused(shop: Shop, conn: Connection) -> None:
    content = bytearray((await archive_of(shop)).getvalue())
    with zipfile.ZipFile(io.BytesIO(bytes(content))) as archive:
        place = archive.getinfo("customers.jsonl").header_offset + 200
    content[place : place + 20] = uuid4().bytes + b"\0\0\0\0"
    await refuse(conn, bytes(content), "changed bytes")


@pytest.mark.parametrize("damage", SITES)
async def test_texts_that_become_headers_are_those_that_a_form_accepts(
    shop: Shop, conn: Connection, damage: str
) -> None:
    row = {"shown": True, "embedding_origins": ["https://b.example", SITES[damage]]}

    def add(name: str, text: bytes) -> bytes:
        if name == "booking_page_settings.jsonl":
            return json.dumps({**PAGE_SETTINGS, **row}).encode() + b"\n"
        return text

    await refuse(conn, changed(await archive_of(shop), add), damage)


async def test_a_name_that_is_two_lines_is_refused(shop: Shop, conn: Connection) -> None:
    file = changed(await archive_of(shop), tenant(name="Layan\r\nBcc: all@example.com"))
    before = await conn.fetchval("SELECT count(*) FROM tenants")
    with pytest.raises(Problem):
        await restore_archive(conn, io.BytesIO(file))
    assert await conn.fetchval("SELECT count(*) FROM tenants") == before


async def test_a_file_that_another_program_has_packed_or_encrypted_is_refused(shop: Shop, conn: Connection) -> None:
    """The byte at `place` of each entry of the directory, and of the header before each file."""
    content = (await archive_of(shop)).getvalue()
    for damage, place, value in (("encrypted", 8, 1), ("bzip2", 10, zipfile.ZIP_BZIP2), ("unknown", 10, 97)):
        copy = bytearray(content)
        for start, field in ((b"PK\x01\x02", place), (b"PK\x03\x04", place - 2)):
            found = copy.find(start)
            while found >= 0:
                copy[found + field] = value
                found = copy.find(start, found + 4)
        await refuse(conn, bytes(copy), damage)


async def refuse(conn: Connection, content: bytes, damage: str) -> None:
    name = f"From a damaged archive {uuid4()}"
    with pytest.raises(Problem) as refused:
        await restore_archive(conn, io.BytesIO(content), name=name)
    assert isinstance(refused.value.kind, ArchiveProblem), damage
    assert await conn.fetchval("SELECT count(*) FROM tenants WHERE name = $1", name) == 0, damage


async def test_texts_have_no_characters_that_the_interfaces_remove(shop: Shop, conn: Connection) -> None:
    hostile = "Sa\u202era\x1b[0m\u2066\x85 one\ntwo"
    row = first_row("customers", first_name=hostile, note=hostile)
    whole = io.BytesIO(changed(await archive_of(shop), row))
    file = changed(whole, tenant(name="La\u202eyan", address="Str\u2067eet"))
    restored = await restore_archive(conn, io.BytesIO(file))
    query = "SELECT count(*) FROM customers WHERE tenant_id = $1 AND first_name = $2 AND note = $2"
    assert await conn.fetchval(query, restored, "Sara[0m one\ntwo") == 1
    assert await conn.fetchval("SELECT name FROM tenants WHERE id = $1", restored) == "Layan"


async def test_settings_of_operators_are_not_read_from_an_archive(shop: Shop) -> None:
    """Its owner can change the file before an operator gets it."""
    ended = {"suspended_at": "2026-01-01T00:00:00Z", "deleted_at": "2026-01-01T00:00:00Z", "plan": "professional"}
    file = changed(await archive_of(shop), tenant(**ended, open_api=True, is_sandbox=True))
    async with pooled_connection(shop.dsn) as raw:
        restored = await restore_archive(Connection(raw), io.BytesIO(file), plan=Plan.STARTER)
        row = await raw.fetchrow("SELECT * FROM tenants WHERE id = $1", restored)
    assert row is not None
    assert (row["plan"], row["open_api"], row["suspended_at"], row["deleted_at"]) == ("starter", False, None, None)
    assert not row["is_sandbox"]


async def test_acts_in_an_archive_have_no_user_of_this_installation(shop: Shop) -> None:
    """An archive could name any user of this installation, and so show a name."""
    (row,) = await shop.sql("SELECT id FROM users WHERE email = $2 AND $1::uuid IS NOT NULL", shop.sandbox.email)
    file = changed(await archive_of(shop), an_act(actor_id=str(row["id"])))
    async with pooled_connection(shop.dsn) as raw:
        restored = await restore_archive(Connection(raw), io.BytesIO(file))
        acts = await raw.fetch(
            "SELECT actor_id, subject FROM activity WHERE tenant_id = $1 AND subject = 'Cut'", restored
        )
    assert [act["actor_id"] for act in acts] == [None]


async def test_the_busy_times_of_providers_are_computed_again(shop: Shop) -> None:
    file = changed(await archive_of(shop), only("staff_busy_days.jsonl", lambda _: b""))
    async with pooled_connection(shop.dsn) as raw:
        restored = await restore_archive(Connection(raw), io.BytesIO(file))
    days = "SELECT staff_id, day, minutes FROM staff_busy_days WHERE tenant_id = $1 ORDER BY staff_id, day"
    second = Shop(shop.origin, shop.dsn, msgspec.structs.replace(shop.sandbox, tenant_id=restored))
    found = await second.sql(days)
    assert found
    assert found == await shop.sql(days)


async def test_a_picture_that_is_none_is_refused(service: Service) -> None:
    shop = await service.new_shop()
    await insert_picture(shop, encode_picture(drawn(40, 30, "PNG")))
    whole = await archive_of(shop)
    page = changed(whole, lambda name, text: b"<script>alert(1)</script>" if name.startswith("pictures/") else text)
    async with pooled_connection(shop.dsn) as raw:
        with pytest.raises(Problem):
            await restore_archive(Connection(raw), io.BytesIO(page))
        whole.seek(0)
        await restore_archive(Connection(raw), whole)
