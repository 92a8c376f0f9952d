"""An export of a sandbox whose clock was moved is made, ends and expires at the time of the sandbox."""

from datetime import datetime, timedelta

from frontdesk.exports.record_queries import delete_old_exports
from frontdesk.postgres.pool import Connection
from tests.sandbox.conftest import Advance
from tests.support.http_errors import assert_error
from tests.support.pagination import Document, json_exact
from tests.support.shop import Shop
from tests.support.waiting import eventually

DAY, MINUTE = timedelta(days=1), timedelta(minutes=1)


async def export_of(shop: Shop) -> Document:
    asked = json_exact(await shop.post("/exports", {"resources": ["customers"]}), 201)["data"]

    async def read() -> Document:
        export = json_exact(await shop.get(f"/exports/{asked['id']}"))["data"]
        return dict(export) if export["status"] == "done" else {}

    return await eventually(read)


def time_of(export: Document, field: str) -> datetime:
    return datetime.fromisoformat(export[field])


async def test_an_export_of_a_moved_sandbox_can_be_read_for_a_day(own_shop: Shop, advance: Advance) -> None:
    now = await advance("P40D")
    export = await export_of(own_shop)
    for field, moment in {"created_at": now, "finished_at": now, "expires_at": now + DAY}.items():
        assert abs(time_of(export, field) - moment) < MINUTE, field
    assert (await own_shop.get(f"/exports/{export['id']}/records")).status_code == 200
    await advance("PT23H")
    assert (await own_shop.get(f"/exports/{export['id']}/records")).status_code == 200
    await advance("PT2H")
    assert_error(await own_shop.get(f"/exports/{export['id']}"), 404, "not_found")


async def test_an_export_is_deleted_by_the_clock_of_its_sandbox(
    own_shop: Shop, advance: Advance, conn: Connection
) -> None:
    export = await export_of(own_shop)
    await advance("P2D")
    assert_error(await own_shop.get(f"/exports/{export['id']}/records"), 404, "not_found")
    assert await delete_old_exports(conn, 100) >= 1
    assert await own_shop.sql("SELECT FROM record_exports WHERE tenant_id = $1") == []
