"""Pictures in a bucket: the same pages and addresses, and nothing is lost or left behind."""

from collections.abc import AsyncIterator
from contextlib import nullcontext
from functools import partial
from io import BytesIO
from uuid import UUID, uuid4

import msgspec
import pytest
from PIL import Image

from frontdesk.config_storage import StorageSettings
from frontdesk.exports.archive import write_archive
from frontdesk.exports.restore import restore_archive
from frontdesk.pictures.bucket import put_picture
from frontdesk.pictures.bucket_queries import check_object_later
from frontdesk.pictures.compare import compare_bucket
from frontdesk.pictures.move import move_to_bucket, move_to_database
from frontdesk.pictures.queries import delete_expired_pictures
from frontdesk.pictures.removal import remove_unused
from frontdesk.postgres.pool import Connection, Pool
from frontdesk.postgres.sending import hold_sending, resume_sending
from frontdesk.storage.store import ObjectStore
from frontdesk.tenants.administration import delete_tenant
from frontdesk.tenants.erasure_queries import erase_batch
from frontdesk.values.actor import SYSTEM
from frontdesk.values.ids import uuid7
from tests.factories.changes import ago, change_row, change_rows, delete_rows
from tests.factories.people import make_staff
from tests.factories.pictures import insert_expired_picture, insert_picture, picture_of as picture_with
from tests.factories.users import owner_of
from tests.support.connections import pooled_connection
from tests.support.dashboard import DashboardClient
from tests.support.service import running_service
from tests.support.shop import Shop
from tests.support.waiting import eventually

pytestmark = pytest.mark.both_servers


@pytest.fixture
async def database(dsn: str) -> AsyncIterator[Pool]:
    pool = Pool(dsn)
    yield pool
    await pool.close()


def red_dot() -> bytes:
    picture = BytesIO()
    Image.new("RGB", (10, 10), "red").save(picture, "PNG")
    return picture.getvalue()


async def upload_item(desk: DashboardClient) -> tuple[UUID, int, str]:
    """Its id, and how the form was answered."""
    id_ = uuid7()
    fields = {"id": str(id_), "type": "product", "name_en": "Soap", "price": "9", "active": "yes"}
    made = await desk.http.post(
        "/catalogue/new",
        data={"form_token": await desk.form_token(), **fields},
        files={"picture": ("soap.png", red_dot(), "image/png")},
        headers={"origin": desk.origin},
    )
    return id_, made.status_code, made.text


async def picture_of(shop: Shop, item_id: UUID) -> UUID:
    (row,) = await shop.sql("SELECT picture_id FROM items WHERE tenant_id = $1 AND id = $2", item_id)
    id_: UUID = row["picture_id"]
    return id_


async def contents_of(shop: Shop) -> dict[UUID, bytes]:
    """Of the pictures in the database."""
    rows = await shop.sql("SELECT id, content FROM pictures WHERE tenant_id = $1 AND object_id IS NULL")
    return {row["id"]: row["content"] for row in rows}


async def keys_of(store: ObjectStore, shop: Shop) -> list[str]:
    return [key async for key in store.list_keys(f"pictures/{shop.tenant_id}/")]


async def remove_due(shop: Shop, database: Pool, store: ObjectStore) -> None:
    """An hour later."""
    await change_rows(shop, "objects_to_check", due_at=ago(seconds=1))
    await remove_unused(database, store)


async def is_erased(shop: Shop) -> bool:
    (row,) = await shop.sql("SELECT finished_at FROM tenant_erasures WHERE tenant_id = $1")
    return row["finished_at"] is not None


async def test_a_picture_is_in_the_bucket_until_its_last_copy_goes(
    own_shop: Shop, owner: DashboardClient, store: ObjectStore, database: Pool
) -> None:
    item_id, status, _ = await upload_item(owner)
    assert status == 303
    copy_id = uuid7()
    assert (await owner.post(f"/catalogue/{item_id}/copy", {"id": str(copy_id)})).status_code == 303
    (row,) = await own_shop.sql(
        "SELECT count(*) AS n, count(DISTINCT object_id) AS objects, count(content) AS here FROM pictures "
        "WHERE tenant_id = $1"
    )
    assert (row["n"], row["objects"], row["here"]) == (2, 1, 0)
    for id_ in (item_id, copy_id):
        shown = await owner.get(f"/pictures/{own_shop.tenant_id}/{await picture_of(own_shop, id_)}")
        assert shown.headers["content-type"] == "image/jpeg"
        assert "immutable" in shown.headers["cache-control"]
        assert Image.open(BytesIO(shown.content)).size == (10, 10)
    assert (await owner.post(f"/catalogue/{item_id}/delete", {"id": str(uuid7())})).status_code == 303
    await remove_due(own_shop, database, store)
    assert len(await keys_of(store, own_shop)) == 2
    small = f"/pictures/{own_shop.tenant_id}/{await picture_of(own_shop, copy_id)}?size=small"
    assert (await owner.get(small)).status_code == 200
    assert (await owner.post(f"/catalogue/{copy_id}/delete", {"id": str(uuid7())})).status_code == 303
    await remove_unused(database, store)
    assert len(await keys_of(store, own_shop)) == 2  # for an hour, for those who read its row just now
    await remove_due(own_shop, database, store)
    assert await keys_of(store, own_shop) == []
    assert await own_shop.sql("SELECT FROM objects_to_check WHERE tenant_id = $1") == []


async def test_pictures_that_no_record_shows_leave_the_bucket_but_not_for_a_restored_copy(
    own_shop: Shop, store: ObjectStore, database: Pool
) -> None:
    """One whose row was never written, and one that expired."""
    async with pooled_connection(own_shop.dsn) as raw:
        conn = Connection(raw)
        announce = partial(check_object_later, conn)
        await put_picture(store, own_shop.tenant_id, "image/png", b"x", b"y", announce)
        place = await put_picture(store, own_shop.tenant_id, "image/png", b"x", b"y", announce)
        await delete_rows(own_shop, "objects_to_check", object_id=place.id)
        await insert_expired_picture(own_shop, place)
        await delete_expired_pictures(conn, 100)
        await hold_sending(conn)
        try:
            await remove_due(own_shop, database, store)
            assert len(await keys_of(store, own_shop)) == 4
        finally:
            await resume_sending(conn)
    await remove_due(own_shop, database, store)
    assert await keys_of(store, own_shop) == []


async def test_pages_work_while_the_storage_is_down(
    own_shop: Shop, owner: DashboardClient, bucket: StorageSettings, dead_endpoint: str
) -> None:
    item_id, _, _ = await upload_item(owner)
    address = f"/pictures/{own_shop.tenant_id}/{await picture_of(own_shop, item_id)}"
    down = msgspec.structs.replace(bucket, endpoint=dead_endpoint)
    async with (
        running_service(own_shop.dsn, storage=down, pictures_in_bucket=True) as service,
        DashboardClient(service.origin, own_shop.dsn) as desk,
    ):
        await desk.sign_in_as(await owner_of(own_shop))
        shown = await desk.get(address)
        assert (shown.status_code, shown.headers["retry-after"]) == (503, "5")
        assert "immutable" not in shown.headers.get("cache-control", "")
        assert (await desk.get(f"/catalogue/{item_id}")).status_code == 200
        _, status, text = await upload_item(desk)
        assert status == 422
        assert "Pictures cannot be saved at the moment." in text
        assert (await desk.get("/export/business.zip")).status_code == 503
    async with running_service(own_shop.dsn) as service:  # whose operator has removed the settings
        assert (await service.http.get(address)).status_code == 503


async def test_pictures_move_to_the_bucket_and_back(own_shop: Shop, store: ObjectStore, database: Pool) -> None:
    sent = [bytes([number, 0]) for number in range(5)]
    contents = {await insert_picture(own_shop, picture_with(content)): content for content in sent}
    reported: list[int] = []
    async with pooled_connection(own_shop.dsn) as raw:
        conn = Connection(raw)
        assert await move_to_bucket(conn, store, own_shop.tenant_id, reported.append, 2) == (5, 0)
        assert await move_to_bucket(conn, store, own_shop.tenant_id, reported.append, 2) == (0, 0)
        assert reported == [2, 4, 5]
        await remove_due(own_shop, database, store)
        keys = await keys_of(store, own_shop)
        assert len(keys) == 10
        assert await contents_of(own_shop) == {}
        missing = keys[0].removesuffix(".small")
        await store.delete(missing)
        assert await move_to_database(conn, store, own_shop.tenant_id, reported.append, 2) == (4, 1)
        found = await contents_of(own_shop)
        assert len(found) == 4
        assert found.items() < contents.items()
    await remove_due(own_shop, database, store)
    assert len(await keys_of(store, own_shop)) == 1


async def test_the_bucket_is_compared_with_the_rows(own_shop: Shop, store: ObjectStore, database: Pool) -> None:
    await insert_picture(own_shop, picture_with(b"1"))
    async with pooled_connection(own_shop.dsn) as raw:
        conn = Connection(raw)
        before = await compare_bucket(conn, store, remove=False)
        await move_to_bucket(conn, store, own_shop.tenant_id, lambda _: None)
        await store.put(f"pictures/{own_shop.tenant_id}/{uuid4()}", b"left by a restore", "image/png")
        await store.put(f"pictures/{uuid4()}/{uuid4()}", b"of another installation", "image/png")
        found = await compare_bucket(conn, store, remove=True)
        assert (found.used - before.used, found.unused - before.unused) == (1, 1)
        await remove_due(own_shop, database, store)
        keys = await keys_of(store, own_shop)
        assert len(keys) == 2
        await store.delete(keys[1])
        after = await compare_bucket(conn, store, remove=False)
        assert (after.unused, set(after.missing) - set(before.missing)) == (before.unused, {keys[1]})


async def test_a_changed_object_is_not_shown(own_shop: Shop, owner: DashboardClient, store: ObjectStore) -> None:
    item_id, _, _ = await upload_item(owner)
    for key in await keys_of(store, own_shop):
        await store.put(key, b"something else", "image/png")
    address = f"/pictures/{own_shop.tenant_id}/{await picture_of(own_shop, item_id)}"
    assert (await owner.get(address)).status_code == 503


async def test_an_archive_has_the_pictures_of_the_bucket(
    own_shop: Shop, owner: DashboardClient, store: ObjectStore
) -> None:
    item_id, _, _ = await upload_item(owner)
    address = f"/pictures/{own_shop.tenant_id}/{await picture_of(own_shop, item_id)}"
    shown = (await owner.get(address)).content
    file = BytesIO((await owner.get("/export/business.zip")).content)
    async with pooled_connection(own_shop.dsn) as raw:
        conn = Connection(raw)
        restored = await restore_archive(conn, file)
        (row,) = await conn.fetch("SELECT id, content, object_id FROM pictures WHERE tenant_id = $1", restored)
        assert (row["content"], row["object_id"]) == (shown, None)
        await move_to_bucket(conn, store, restored, lambda _: None)
        again = BytesIO()
        await write_archive(lambda: nullcontext(conn), restored, again, store)
        third = await restore_archive(conn, again)
        assert await conn.fetchval("SELECT content FROM pictures WHERE tenant_id = $1", third) == shown


async def test_an_erased_business_keeps_the_pictures_of_its_catalogue_only(
    own_shop: Shop, owner: DashboardClient, store: ObjectStore, database: Pool
) -> None:
    await upload_item(owner)
    staff_id = await make_staff(own_shop)
    await change_row(own_shop, "staff", staff_id, picture_id=await insert_picture(own_shop, picture_with(b"1")))
    await insert_picture(own_shop, picture_with(b"2"))  # of the booking page, whose settings are erased
    async with pooled_connection(own_shop.dsn) as raw:
        conn = Connection(raw)
        await move_to_bucket(conn, store, own_shop.tenant_id, lambda _: None)
        assert len(await keys_of(store, own_shop)) == 6
        name = await conn.fetchval("SELECT name FROM tenants WHERE id = $1", own_shop.tenant_id)
        await delete_tenant(conn, own_shop.tenant_id, name, SYSTEM)
        while await erase_batch(conn, own_shop.tenant_id, 5000):
            pass
    await eventually(partial(is_erased, own_shop))  # the service may have taken a part of it
    await remove_due(own_shop, database, store)
    assert len(await keys_of(store, own_shop)) == 2
