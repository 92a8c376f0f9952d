"""A response of a newer server, with unknown fields and values, is decoded."""

from typing import Any

import msgspec
import pytest

from frontdesk_client.request import decode
from tests.client.any_client import KINDS, client_at
from tests.support.servers.receiver import receiving, respond_with
from tests.support.shop import Shop


def with_unknown_fields(value: Any) -> Any:
    if isinstance(value, list):
        return [with_unknown_fields(element) for element in value]
    if isinstance(value, dict):
        known = {name: inner if name == "metadata" else with_unknown_fields(inner) for name, inner in value.items()}
        return {**known, "xx": {"new": [1]}}
    return value


@pytest.mark.parametrize("kind", KINDS)
async def test_unknown_fields_and_values_are_decoded(shop: Shop, kind: str) -> None:
    page = decode((await shop.get("/orders?per_page=5")).content, dict[str, Any])
    changed = with_unknown_fields(page)
    changed["meta"]["last_page"] = 1
    for order in changed["data"]:
        order |= {"status": "archived", "payment_status": "written_off", "source": "kiosk"}
        for item in order["items"]:
            item["type"] = "voucher"
    body = msgspec.json.Encoder(decimal_format="number").encode(changed)
    async with (
        receiving(respond_with(200, body)) as server,
        client_at(f"http://127.0.0.1:{server.port}", kind, token="t") as client,
    ):
        orders = await client.call("orders.list")
    assert [str(order.id) for order in orders] == [order["id"] for order in page["data"]]
    assert {(order.status, order.payment_status, order.source) for order in orders} == {
        ("archived", "written_off", "kiosk")
    }
    assert {item.type for order in orders for item in order.items} == {"voucher"}
