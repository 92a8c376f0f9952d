"""The overview: what needs attention is listed once, the rest is left out; a provider sees their own day."""

from datetime import UTC, datetime, time, timedelta
from uuid import UUID

from frontdesk.auth.types import Role
from frontdesk.values.ids import uuid7
from tests.factories.changes import change_row, change_rows, delete_rows
from tests.factories.orders import change_order, make_order, move_booking
from tests.factories.states import turn_into_draft
from tests.factories.users import make_user
from tests.support.branch import RIYADH, BranchFixture, day, line, open_branch
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.shop import Shop


async def booked(branch: BranchFixture, provider: UUID, service: UUID, on: datetime) -> str:
    order = await branch.place(line(service, "service", staff_id=str(provider)), start=on.isoformat())
    return str(order["id"])


async def test_only_what_needs_attention_is_listed(own_shop: Shop, owner: DashboardClient) -> None:
    await change_rows(own_shop, "items", low_stock=None)
    await delete_rows(own_shop, "orders", status="draft")
    await delete_rows(own_shop, "waiting_list")
    await own_shop.sql(
        "UPDATE orders SET status = 'confirmed' WHERE tenant_id = $1 AND status = 'completed' AND parent_id IS NULL "
        "AND payment_status IN ('unpaid', 'partially_paid')"
    )
    await change_rows(own_shop, "branches", phone="+966500000001", address="Olaya")
    assert "Waits for you" not in (await owner.get("/")).text
    await make_order(own_shop, 1, draft=True)
    done = await make_order(own_shop, 2, paid="5")
    await owner.post(f"/orders/{done}/status", {"status": "completed"})
    (product,) = await own_shop.sql(
        "UPDATE items SET low_stock = stock WHERE tenant_id = $1 AND id = ("
        "SELECT id FROM items WHERE tenant_id = $1 AND type = 'product' LIMIT 1) RETURNING id"
    )
    await change_rows(own_shop, "webhooks", failing_since=datetime.now(UTC), disabled_at=None)
    failing = await own_shop.sql("SELECT id FROM webhooks WHERE tenant_id = $1")
    page = (await owner.get("/")).text
    assert "1 order is done and not paid" in page
    assert f"/till?order={done}" in page
    assert "15.00" in page
    assert "1 draft waits" in page
    assert "1 product is low or out" in page
    assert f"/catalogue/{product['id']}" in page
    assert ("failing" in page) == bool(failing)


async def test_a_booking_in_time_off_is_named_with_its_customer(own_shop: Shop, owner: DashboardClient) -> None:
    room = await open_branch(own_shop)
    service = await room.add_service(duration=30)
    provider = await room.add_provider(service)
    starts = datetime.combine(day(3), datetime.min.time(), RIYADH).replace(hour=12)
    order_id = await booked(room, provider, service, starts)
    assert order_id not in (await owner.get("/")).text
    await room.take_off(provider, starts - timedelta(hours=1), starts + timedelta(hours=1))
    page = (await owner.get(f"/?branch={room.branch_id}")).text
    assert "has time off and a booking" in page
    assert f"/orders/{order_id}/move" in page


async def test_a_provider_sees_who_is_in_the_chair_with_warnings_first(own_shop: Shop, owner: DashboardClient) -> None:
    room = await open_branch(own_shop)
    service = await room.add_service(duration=30)
    provider = await room.add_provider(service)
    starts = datetime.combine(day(1), datetime.min.time(), RIYADH).replace(hour=12)
    order_id = await booked(room, provider, service, starts)
    (order,) = await own_shop.sql("SELECT customer_id FROM orders WHERE tenant_id = $1 AND id = $2", UUID(order_id))
    warning = {"id": str(uuid7()), "text": "Reacted to ammonia", "is_warning": "yes"}
    assert (await owner.post(f"/customers/{order['customer_id']}/notes", warning)).status_code == 303
    midnight = datetime.combine(day(0), datetime.min.time(), RIYADH)
    begun = max(datetime.now(UTC).replace(second=0, microsecond=0) - timedelta(minutes=5), midnight)
    await move_booking(own_shop, order_id, begun)
    await change_row(own_shop, "orders", UUID(order_id), starts_at=begun, status="in-progress")
    async with await dashboard_of(own_shop, await make_user(own_shop, Role.PROVIDER)) as desk:
        assert "not linked to a staff member" in (await desk.get("/")).text
        await change_rows(own_shop, "memberships", {"role": "provider"}, staff_id=provider)
        page = (await desk.get("/")).text
    assert page.index("In progress") < page.index("Reacted to ammonia") < page.index("Your day</h2>")
    assert "SAR" not in page.split("<main")[1], "no takings"


async def test_the_bar_of_the_day_ends_with_the_branch(own_shop: Shop, owner: DashboardClient) -> None:
    """What takes no time, such as a draft in the night, is not drawn in it."""
    room = await open_branch(own_shop)
    service = await room.add_service(duration=30)
    provider = await room.add_provider(service)
    order_id = await booked(room, provider, service, datetime.combine(day(3), time(12), RIYADH))
    await turn_into_draft(room, order_id)
    await change_order(own_shop, UUID(order_id), starts_at=datetime.combine(day(0), time(23), RIYADH))
    page = (await owner.get(f"/?branch={room.branch_id}")).text
    assert '<time class="ltr">09:00–17:00</time>' in page
    assert '"track track-mini day-track first-9 hours-8"' in page


async def test_the_sums_of_the_business_are_for_those_who_may_see_them(own_shop: Shop) -> None:
    sums = ("Net sales", "Taken today", "Expected, ")
    seen = {Role.OWNER: (True, True, True), Role.RECEPTIONIST: (False, True, True), Role.CASHIER: (False, False, False)}
    for role, expected in seen.items():
        async with await dashboard_of(own_shop, await make_user(own_shop, role)) as desk:
            page = (await desk.get("/")).text
            assert tuple(text in page for text in sums) == expected, role
            assert "Done and unpaid" in page
