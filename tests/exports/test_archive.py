"""A business that is made from an archive has the same lists, and none of the secrets."""

import io
import json
import zipfile
from contextlib import nullcontext

import msgspec
import pytest

from frontdesk.exports.archive import write_archive
from frontdesk.exports.archive_queries import LEFT_OUT_TABLES, LEFT_OUT_WHEN_RESTORED, list_tables
from frontdesk.exports.restore import restore_archive
from frontdesk.pictures.encode import MAX_BYTES
from frontdesk.postgres.pool import Connection
from frontdesk.problems import Problem
from tests.factories.credentials import make_client
from tests.factories.pictures import insert_picture
from tests.support.branch import day, line, open_branch, start
from tests.support.connections import pooled_connection
from tests.support.invariants import broken_invariants
from tests.support.service import Service
from tests.support.shop import Shop

LISTS = ("/customers", "/items", "/staff", "/orders", "/transactions", "/packages", "/categories", "/payment-methods")


@pytest.fixture
async def own_shop(service: Service) -> Shop:
    return await service.new_shop()


async def archive_of(shop: Shop) -> io.BytesIO:
    file = io.BytesIO()
    async with pooled_connection(shop.dsn) as raw:
        await write_archive(lambda: nullcontext(Connection(raw)), shop.tenant_id, file)
    file.seek(0)
    return file


async def test_an_archive_contains_no_secrets_and_no_sign_ins(own_shop: Shop) -> None:
    with zipfile.ZipFile(await archive_of(own_shop)) as archive:
        names = {name.removesuffix(".jsonl") for name in archive.namelist()}
        assert not names & LEFT_OUT_TABLES
        manifest = json.loads(archive.read("manifest.json"))
        text = b"".join(archive.read(name) for name in archive.namelist())
    columns = {f"{table}.{column}" for table, names in manifest["tables"].items() for column in names}
    assert not [column for column in columns if any(word in column for word in ("secret", "token", "hash", "password"))]
    assert own_shop.sandbox.email.encode() not in text


async def test_every_table_that_is_left_out_exists(conn: Connection) -> None:
    tables = await conn.fetch("SELECT relname::text FROM pg_class WHERE relkind = 'r'")
    assert LEFT_OUT_TABLES - {row["relname"] for row in tables} == set()


async def test_a_business_from_an_archive_has_the_same_rows(own_shop: Shop) -> None:
    file = await archive_of(own_shop)
    async with pooled_connection(own_shop.dsn) as raw:
        conn = Connection(raw)
        restored = await restore_archive(conn, file, name="Second")
        assert restored != own_shop.tenant_id
        for table in await list_tables(conn):
            kept = [name for name in table.columns if name not in LEFT_OUT_WHEN_RESTORED.get(table.name, ())]
            columns = ", ".join(f"t.{column}" for column in kept)
            sql = f"SELECT ROW({columns})::text AS row FROM {table.name} t WHERE tenant_id = $1"
            if table.name == "activity":
                sql += " AND action <> 'business.restored'"
            first = sorted(row["row"] for row in await conn.fetch(sql, own_shop.tenant_id))
            second = sorted(row["row"] for row in await conn.fetch(sql, restored))
            assert first == second, table.name
        assert await conn.fetchval("SELECT count(*) FROM memberships WHERE tenant_id = $1", restored) == 0
        assert (
            await conn.fetchval("SELECT subject FROM activity WHERE tenant_id = $1 ORDER BY id DESC", restored)
            == "Second"
        )
        assert await conn.fetchval("SELECT name FROM tenants WHERE id = $1", restored) == "Second"


async def test_lists_of_a_business_from_an_archive_are_the_same_in_the_api(own_shop: Shop) -> None:
    file = await archive_of(own_shop)
    async with pooled_connection(own_shop.dsn) as raw:
        restored = await restore_archive(Connection(raw), file)
    second = Shop(own_shop.origin, own_shop.dsn, msgspec.structs.replace(own_shop.sandbox, tenant_id=restored))
    client = await make_client(second)
    token = await client.token()
    for path in LISTS:
        first, again = await own_shop.get(path), await second.get(path, token=token)
        assert first.status_code == again.status_code == 200, path
        assert first.json()["data"], path
        assert first.json()["data"] == again.json()["data"], path


async def test_a_business_from_an_archive_keeps_the_rules_when_it_goes_on(own_shop: Shop) -> None:
    """Its events are those of the time before and since, and their numbers go on."""
    branch = await open_branch(own_shop)
    cut = await branch.add_service(duration=60)
    await branch.add_provider(cut)
    placed = await branch.place(line(cut), start=start(day(3), "10:00"))
    moved = await own_shop.post(f"/orders/{placed['id']}/reschedule", {"start": start(day(3), "12:00")})
    assert moved.status_code == 200, moved.text
    file = await archive_of(own_shop)
    async with pooled_connection(own_shop.dsn) as raw:
        restored = await restore_archive(Connection(raw), file)
        second = Shop(own_shop.origin, own_shop.dsn, msgspec.structs.replace(own_shop.sandbox, tenant_id=restored))
        client = await make_client(second)
        status = await second.post(
            f"/orders/{placed['id']}/status", {"status": "confirmed"}, token=await client.token()
        )
        assert status.status_code == 200, status.text
        assert await broken_invariants(Connection(raw), restored) == []


async def test_a_file_that_is_no_archive_is_refused(service: Service) -> None:
    async with pooled_connection(service.dsn) as raw:
        for content in (b"", b"PK\x05\x06" + b"\0" * 18, b"name,phone\n"):
            with pytest.raises(Problem, match="NOT_AN_ARCHIVE"):
                await restore_archive(Connection(raw), io.BytesIO(content))


async def test_a_picture_that_is_larger_than_an_upload_may_be_is_refused(own_shop: Shop) -> None:
    await insert_picture(own_shop)
    large = io.BytesIO()
    with (
        zipfile.ZipFile(await archive_of(own_shop)) as archive,
        zipfile.ZipFile(large, "w", zipfile.ZIP_DEFLATED) as copy,
    ):
        for name in archive.namelist():
            copy.writestr(name, bytes(MAX_BYTES + 1) if name.startswith("pictures/") else archive.read(name))
    async with pooled_connection(own_shop.dsn) as raw:
        with pytest.raises(Problem):
            await restore_archive(Connection(raw), large)
