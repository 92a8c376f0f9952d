"""Changing the lines of an order at the desk: what follows is shown first, then everything is written at once."""

import json
import re
from collections.abc import AsyncIterator
from decimal import Decimal
from html import unescape
from typing import Any, NamedTuple
from uuid import UUID

import httpx2
import pytest

from frontdesk.auth.types import Role
from frontdesk.orders.types import LineType, OrderLineRequest, OrderRequest, Source
from frontdesk.postgres.pool import Connection
from frontdesk.values.ids import uuid7
from tests.factories.catalog import branch_of, make_option, make_product, make_service
from tests.factories.people import assign_service, customer_of, make_staff, make_working_hours
from tests.factories.users import make_user
from tests.support.acts import create_order
from tests.support.branch import NINE_TO_FIVE, day, local
from tests.support.connections import pooled_connection
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.invariants import broken_invariants
from tests.support.shop import Shop
from tests.ui.orders.test_order_acts import pay


class Visit(NamedTuple):
    """A facial of an hour at ten, and two shampoos."""

    order_id: UUID
    facial: UUID
    brows: UUID
    shampoo: UUID
    reem: UUID
    noor: UUID


@pytest.fixture
async def visit(own_shop: Shop) -> AsyncIterator[Visit]:
    branch = await branch_of(own_shop)
    reem, noor = [await make_staff(own_shop, name, branch_id=branch) for name in ("Reem", "Noor")]
    facial = await make_service(own_shop, "Facial", branch_id=branch, duration=60, price="275")
    brows = await make_service(own_shop, "Brows", branch_id=branch, duration=30, price="90")
    for staff_id in (reem, noor):
        await make_working_hours(own_shop, NINE_TO_FIVE, staff_id=staff_id)
        for service in (facial, brows):
            await assign_service(own_shop, staff_id, service)
    shampoo = await make_product(own_shop, "Shampoo", price="85", stock=10, branch_id=branch)
    order_id = await book(
        own_shop,
        OrderLineRequest(facial, LineType.SERVICE, 1, reem),
        OrderLineRequest(shampoo, LineType.PRODUCT, 2),
    )
    yield Visit(order_id, facial, brows, shampoo, reem, noor)
    async with pooled_connection(own_shop.dsn) as raw:
        assert await broken_invariants(Connection(raw), own_shop.tenant_id) == []


async def book(shop: Shop, *lines: OrderLineRequest, at: str = "10:00") -> UUID:
    request = OrderRequest(
        await branch_of(shop), await customer_of(shop), local(day(7), at), list(lines), None, [], Source.DASHBOARD
    )
    async with pooled_connection(shop.dsn) as raw:
        return (await create_order(Connection(raw), await shop.tenant(), request)).id


def sent_by(page: str) -> dict[str, Any]:
    """The fields of the form as a browser would send them."""
    form = page[page.index('id="edit"') :]
    fields: dict[str, Any] = {}
    select = None
    for tag in re.findall(r"<(?:input|select|option)[^>]*>", form):
        given = dict(re.findall(r'(\w+)="([^"]*)"', tag))
        if tag.startswith("<select"):
            select = given["name"]
            fields.setdefault(select, []).append("")
        elif tag.startswith("<option"):
            if " selected" in tag and select:
                fields[select][-1] = given["value"]
        elif "name" in given:
            fields.setdefault(given["name"], []).append(unescape(given.get("value", "")))
    fields.pop("csrf", None)
    return fields


async def opened(desk: DashboardClient, order_id: UUID) -> dict[str, Any]:
    answer = await desk.get(f"/orders/{order_id}/edit")
    assert answer.status_code == 200
    return sent_by(answer.text)


async def press(desk: DashboardClient, order_id: UUID, fields: dict[str, Any], act: str) -> httpx2.Response:
    return await desk.post(f"/orders/{order_id}/edit", {**fields, "act": act})


async def one(shop: Shop, sql: str, *values: Any) -> Any:
    (row,) = await shop.sql(sql, *values)
    return row


async def test_a_service_is_added_and_a_product_becomes_less(
    own_shop: Shop, owner: DashboardClient, visit: Visit
) -> None:
    fields = await opened(owner, visit.order_id)
    found = await press(owner, visit.order_id, {**fields, "search": "brow"}, "find")
    assert f"add:service:{visit.brows}" in found.text
    fields = sent_by((await press(owner, visit.order_id, fields, f"add:service:{visit.brows}")).text)
    fields["quantity"][1] = "١"
    preview = await press(owner, visit.order_id, fields, "update")
    assert preview.status_code == 200
    for text in ("Added", "from 2 to 1", "Save, 5.00 more", "10:00–11:30", "Stock: 1 × Shampoo comes back"):
        assert text in preview.text
    assert (await one(own_shop, "SELECT version FROM orders WHERE tenant_id = $1 AND id = $2", visit.order_id))[0] == 1
    saved = await press(owner, visit.order_id, sent_by(preview.text), "save")
    assert saved.headers["location"] == f"/orders/{visit.order_id}"

    order = await one(own_shop, "SELECT * FROM orders WHERE tenant_id = $1 AND id = $2", visit.order_id)
    assert (order["total"], order["version"]) == (275 + 90 + 85, 2)
    assert [line["quantity"] for line in json.loads(order["list_items"])] == [1, 1, 1]
    bookings = await own_shop.sql(
        "SELECT reference, during, staff_id FROM bookings WHERE tenant_id = $1 AND order_id = $2 ORDER BY during",
        visit.order_id,
    )
    assert [row["during"].lower for row in bookings] == [local(day(7), "10:00"), local(day(7), "11:00")]
    assert bookings[1]["reference"] == bookings[0]["reference"] + "-2"
    stock = await one(own_shop, "SELECT stock FROM items WHERE tenant_id = $1 AND id = $2", visit.shampoo)
    assert stock["stock"] == 9
    movement = await one(
        own_shop,
        "SELECT change, reason FROM stock_movements WHERE tenant_id = $1 AND order_id = $2 AND reason = 'return'",
        visit.order_id,
    )
    assert movement["change"] == 1
    event = await one(own_shop, "SELECT data FROM events WHERE tenant_id = $1 AND type = 'order.updated'")
    assert '"previous_total" : 445.00' in event["data"]
    page = (await owner.get(f"/orders/{visit.order_id}")).text
    assert "Lines changed, total from 445.00 to 450.00" in page
    activity = await one(
        own_shop, "SELECT before, after FROM activity WHERE tenant_id = $1 AND action = 'order.edited'"
    )
    assert "2 × Shampoo" in activity["before"]
    assert "1 × Shampoo" in activity["after"]


async def test_a_removed_line_stays_on_the_page_until_it_is_saved(
    own_shop: Shop, owner: DashboardClient, visit: Visit
) -> None:
    fields = await opened(owner, visit.order_id)
    removed = await press(owner, visit.order_id, fields, "remove:0")
    assert "Put back" in removed.text
    assert "Its time becomes free" in removed.text
    again = await press(owner, visit.order_id, sent_by(removed.text), "back:0")
    assert "Put back" not in again.text
    saved = await press(owner, visit.order_id, sent_by(removed.text), "save")
    assert saved.status_code == 303
    assert await own_shop.sql("SELECT FROM bookings WHERE tenant_id = $1 AND order_id = $2", visit.order_id) == []
    order = await one(own_shop, "SELECT starts_at FROM orders WHERE tenant_id = $1 AND id = $2", visit.order_id)
    assert order["starts_at"] is None, "there is no appointment to be reminded of"
    nothing = await press(owner, visit.order_id, {**await opened(owner, visit.order_id)}, "remove:0")
    refused = await press(owner, visit.order_id, sent_by(nothing.text), "save")
    assert "An order needs at least one line." in refused.text


async def test_a_taken_time_is_refused_with_others_that_fit(
    own_shop: Shop, owner: DashboardClient, visit: Visit
) -> None:
    await book(own_shop, OrderLineRequest(visit.brows, LineType.SERVICE, 1, visit.reem), at="11:00")
    fields = await opened(owner, visit.order_id)
    fields = sent_by((await press(owner, visit.order_id, fields, f"add:service:{visit.brows}")).text)
    fields["staff"][2] = str(visit.reem)
    refused = await press(owner, visit.order_id, fields, "update")
    assert refused.status_code == 422
    assert "The requested time is already booked." in refused.text
    starts = re.findall(r'value="start:([^"]+)"', refused.text)
    assert len(starts) == 3
    moved = await press(owner, visit.order_id, sent_by(refused.text), f"start:{starts[-1]}")
    assert moved.status_code == 200
    assert (await press(owner, visit.order_id, sent_by(moved.text), "save")).status_code == 303
    types = await own_shop.sql(
        "SELECT type FROM events WHERE tenant_id = $1 AND sequence > (SELECT max(sequence) - 2 FROM events "
        "WHERE tenant_id = $1) ORDER BY sequence"
    )
    assert [row["type"] for row in types] == ["order.updated", "order.rescheduled"]


async def test_another_provider_and_option_and_price(own_shop: Shop, owner: DashboardClient, visit: Visit) -> None:
    large = await make_option(own_shop, visit.shampoo, "120")
    fields = await opened(owner, visit.order_id)
    fields["staff"][0], fields["options"][1], fields["price"][0] = str(visit.noor), str(large), "200"
    fields["order_discount"] = "10"
    preview = await press(owner, visit.order_id, fields, "update")
    assert "Noor performs it and is free" in preview.text
    assert (await press(owner, visit.order_id, sent_by(preview.text), "save")).status_code == 303
    order = await one(own_shop, "SELECT * FROM orders WHERE tenant_id = $1 AND id = $2", visit.order_id)
    assert (order["sub_total"], order["total"]) == (200 + 240, Decimal("396"))
    kept = await opened(owner, visit.order_id)
    assert (kept["order_discount"], kept["price"]) == (["10"], ["", ""])
    less = {**kept, "quantity": ["1", "1"]}
    preview = await press(owner, visit.order_id, less, "update")
    assert "Save, 108.00 less" in preview.text


async def test_only_a_manager_changes_prices(own_shop: Shop, owner: DashboardClient, visit: Visit) -> None:
    async with await dashboard_of(own_shop, await make_user(own_shop, role=Role.RECEPTIONIST)) as desk:
        fields = await opened(desk, visit.order_id)
        for change in ({"price": ["1", ""]}, {"discount": ["", "5"]}, {"order_discount": "50"}):
            refused = await press(desk, visit.order_id, {**fields, **change}, "save")
            assert refused.status_code == 422
            assert "Only an owner or manager can change prices and discounts." in refused.text
        fields["quantity"][1] = "3"
        preview = await press(desk, visit.order_id, fields, "update")
        assert (await press(desk, visit.order_id, sent_by(preview.text), "save")).status_code == 303


async def test_nothing_is_saved_that_was_not_shown_or_is_outdated(
    own_shop: Shop, owner: DashboardClient, visit: Visit
) -> None:
    fields = await opened(owner, visit.order_id)
    unseen = await press(owner, visit.order_id, {**fields, "quantity": ["1", "1"]}, "save")
    assert unseen.status_code == 422
    assert "Check what follows from the changes, then save them." in unseen.text
    assert "Save, 85.00 less" in unseen.text
    await pay(own_shop, owner, visit.order_id, "400")
    outdated = await press(owner, visit.order_id, sent_by(unseen.text), "save")
    assert outdated.status_code == 422
    assert "Check them, then save again." in outdated.text
    refused = await press(owner, visit.order_id, sent_by(outdated.text), "save")
    assert "400.00 were paid, which is more than the new total of 360.00." in refused.text
    many = await press(
        owner, visit.order_id, {**await opened(owner, visit.order_id), "quantity": ["1", "99"]}, "update"
    )
    assert "There is not enough in stock." in many.text


async def test_why_an_order_cannot_change(own_shop: Shop, owner: DashboardClient, visit: Visit) -> None:
    await pay(own_shop, owner, visit.order_id, "445")
    assert (await owner.post(f"/orders/{visit.order_id}/invoice", {"id": str(uuid7())})).status_code == 303
    page = await owner.get(f"/orders/{visit.order_id}/edit")
    assert "The order has an invoice, so its lines cannot change." in page.text
    other = await book(own_shop, OrderLineRequest(visit.facial, LineType.SERVICE, 1, visit.noor))
    fields = await opened(owner, other)
    await owner.post(f"/orders/{other}/cancel")
    assert "The order is canceled." in (await press(owner, other, fields, "save")).text


async def test_an_item_that_is_gone_is_refused_and_can_be_removed(
    own_shop: Shop, owner: DashboardClient, visit: Visit
) -> None:
    fields = await opened(owner, visit.order_id)
    shown = await press(owner, visit.order_id, fields, f"add:product:{uuid7()}")
    assert shown.status_code == 422
    removed = await press(owner, visit.order_id, sent_by(shown.text), "remove:2")
    assert (removed.status_code, sent_by(removed.text)["row"]) == (200, fields["row"])
    assert (await press(owner, visit.order_id, fields, "remove:" + "9" * 5000)).status_code == 200


async def test_a_product_that_is_not_counted_says_nothing_about_stock(
    own_shop: Shop, owner: DashboardClient, visit: Visit
) -> None:
    stop = {"id": str(uuid7()), "reason": "uncounted"}
    assert (await owner.post(f"/catalogue/{visit.shampoo}/stock", stop)).status_code == 303
    fields = await opened(owner, visit.order_id)
    fields["quantity"][1] = "500"
    preview = await press(owner, visit.order_id, fields, "update")
    assert (preview.status_code, "Stock:" in preview.text) == (200, False)
    removed = await press(owner, visit.order_id, fields, "remove:1")
    assert "Goes back into stock" not in removed.text
