"""The file of an export through both clients, against a real server."""

import pytest

from frontdesk_client import ApiError
from tests.client.any_client import KINDS, AnyClient, client_of
from tests.factories.credentials import make_client
from tests.support.service import Service
from tests.support.waiting import eventually

pytestmark = [pytest.mark.parametrize("kind", KINDS)]


async def test_the_records_of_an_export_are_read_with_the_token_of_the_client(service: Service, kind: str) -> None:
    shop = await service.new_shop()
    by = await make_client(shop, scopes=["orders:read", "customers:read"])
    async with client_of(shop, kind, by=by) as client:
        export = await client.call("exports.create", resources=["customers", "orders"])

        async def is_done() -> bool:
            sql = "SELECT FROM record_exports WHERE tenant_id = $1 AND id = $2 AND status = 'done'"
            return bool(await shop.sql(sql, export.id))

        await eventually(is_done)
        export = await client.call("exports.get", export.id)
        found = await client.call("exports.records", export.id)
        assert len(found) == export.records > 0
        orders = {one.record["order_number"]: one.record["total"] for one in found if one.resource == "orders"}
        assert orders == {order.order_number: order.total for order in await client.call("orders.list")}
        with pytest.raises(ApiError) as refused:
            await client.call("exports.records", by.id)
        assert (refused.value.status, refused.value.code) == (404, "not_found")
        some = AnyClient(client.client.only("id"), is_sync=kind == "sync")
        with pytest.raises(TypeError, match="no read, of which fields"):
            await some.call("exports.records", export.id)
