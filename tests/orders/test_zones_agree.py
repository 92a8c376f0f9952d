"""An appointment has one hour wherever it is shown, also in zones for which PostgreSQL has other rules than Python."""

from datetime import UTC, date, datetime, timedelta
from uuid import UUID

import pytest

from frontdesk.invoices.page import render_page
from frontdesk.invoices.queries import invoice_of_order
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import fetch
from frontdesk.values.time import format_offset, get_zone, local_day_bounds, to_instant, to_local
from tests.factories.changes import change_rows, change_tenant
from tests.factories.orders import change_order
from tests.factories.users import owner_of
from tests.support.acts import issue_invoice
from tests.support.branch import EVERY_DAY, BranchFixture, line, method_of, open_branch
from tests.support.dashboard import DashboardClient
from tests.support.events import record_events
from tests.support.pagination import json_exact
from tests.support.repetitions import share
from tests.support.service import Service
from tests.support.shop import Shop
from tests.support.till import Till

# Their rules changed in 2026; clocks that never change; a change of half an hour; changes at midnight.
ZONES = [
    *("America/Edmonton", "Africa/Casablanca", "CET"),
    *("Asia/Riyadh", "Asia/Kolkata", "Australia/Lord_Howe", "Africa/Cairo"),
]
pytestmark = [pytest.mark.both_servers, pytest.mark.torture]  # in every zone
SECOND = timedelta(seconds=1)


@pytest.fixture
async def branch(service: Service, other_shop: Shop, zone: str) -> BranchFixture:
    shop = await service.new_shop()
    await change_tenant(shop, timezone=zone)
    branch = await open_branch(shop)
    await branch.set_hours({on: [("09:00", "10:30")] for on in EVERY_DAY})
    return branch


def next_change(zone: str) -> date:
    """The next day on which the clocks change, or one that is like it."""
    days = [to_local(datetime.now(UTC), get_zone(zone)).date() + timedelta(days=n) for n in range(3, 400)]
    uneven = (day for day in days if _length(day, zone) != timedelta(days=1))
    return next(uneven, days[100])


def _length(day: date, zone: str) -> timedelta:
    start, end = local_day_bounds(day, get_zone(zone))
    return end - start


def shown(on: date, hh_mm: str, zone: str) -> str:
    return format_offset(to_instant(datetime.fromisoformat(f"{on}T{hh_mm}"), get_zone(zone)), get_zone(zone))


@pytest.mark.parametrize("zone", share(ZONES, 0, 2))
async def test_an_offered_start_is_shown_with_its_hour_everywhere(branch: BranchFixture, zone: str) -> None:
    service_id = await branch.add_service(price="10")
    await branch.add_provider(service_id)
    method = await method_of(branch.shop)
    today = to_local(datetime.now(UTC), get_zone(zone)).date()
    for on in (today + timedelta(days=2), today + timedelta(days=190), next_change(zone)):
        recorder = await record_events(branch.shop)
        assert (await branch.starts(service_id, on))[:3] == ["09:00", "09:15", "09:30"]
        paid_on = on - timedelta(days=728)  # the same weekday: a payment is not dated ahead
        payment = {"payment_method_id": method, "amount": 4, "date": f"{paid_on}T09:05:00"}
        placed = await branch.place(line(service_id), start=f"{on}T09:00:00", payment=payment)
        assert placed["transaction"]["date"] == shown(paid_on, "09:05", zone)
        sold = await Till(branch).ring_up("10.00", line(service_id), start=f"{on}T10:00:00")
        assert await branch.starts(service_id, on) == ["09:30"]
        hours = {placed["id"]: ("09:00", "09:30"), sold["id"]: ("10:00", "10:30")}
        for order_id, (begins, ends) in hours.items():
            order = await branch.read(order_id)
            assert order["start"] == shown(on, begins, zone)
            (booking,) = order["bookings"]
            assert (booking["start"], booking["end"]) == (shown(on, begins, zone), shown(on, ends, zone))
        await branch.shop.post(
            f"/orders/{placed['id']}/payments",
            {"payment_method_id": method, "amount": 6, "date": f"{paid_on}T09:30:00"},
        )
        await branch.move(placed["id"], "in-progress")
        for event in await recorder.new_events():
            begins, ends = hours[event["data"].get("order", event["data"].get("transaction", {}).get("order"))["id"]]
            for place in _bookings(event["data"]):
                assert (place["start"], place["end"]) == (shown(on, begins, zone), shown(on, ends, zone)), event["type"]
        page = json_exact(await branch.shop.get("/transactions", params={"per_page": 2}))["data"]
        assert [one["date"] for one in page] == [shown(paid_on, "09:30", zone), shown(paid_on, "09:05", zone)]
        assert {one["booking"]["start"] for one in page} == {shown(on, "09:00", zone)}
        async with DashboardClient(branch.shop.origin, branch.shop.dsn) as desk:
            await desk.sign_in_as(await owner_of(branch.shop))
            assert ">09:00–" in (await desk.get(f"/orders/{placed['id']}")).text


def _bookings(data: object) -> list[dict[str, str]]:
    """Every booking in the data of an event, however deep."""
    if isinstance(data, dict):
        own = [data] if "reference" in data and "end" in data else []
        return own + [one for value in data.values() for one in _bookings(value)]
    return [one for value in data for one in _bookings(value)] if isinstance(data, list) else []


@pytest.mark.parametrize("zone", share(ZONES, 1, 2))
async def test_the_local_day_of_an_order_is_the_same_everywhere(branch: BranchFixture, zone: str) -> None:
    till, product = Till(branch), await branch.add_product(price="10")
    paid = await till.paid("10")
    today = to_local(datetime.now(UTC), get_zone(zone)).date()
    for on in (today + timedelta(days=2), next_change(zone)):
        start, end = local_day_bounds(on, get_zone(zone))
        edges = {start - SECOND: False, start: True, end - SECOND: True, end: False}
        sold = {}
        for moment in edges:
            sale = await till.ring_up("10.00", line(product, "product"), cashier="Huda", payment_methods=[paid])
            await move_to(branch.shop, UUID(sale["id"]), moment)
            sold[sale["id"]] = moment
        assert {i: (await branch.read(i))["transactions"][0]["date"] for i in sold} == {
            id_: format_offset(moment, get_zone(zone)) for id_, moment in sold.items()
        }
        inside = {id_ for id_, moment in sold.items() if edges[moment]}
        for path in ("/orders", "/transactions"):
            listed = json_exact(await branch.shop.get(path, params={"from": str(on), "to": str(on)}))["data"]
            assert {one.get("order", one)["id"] for one in listed} == inside, path


async def move_to(shop: Shop, order_id: UUID, moment: datetime) -> None:
    """As if it had been sold and paid then. Later sales must be moved to later moments."""
    await change_rows(shop, "transactions", {"order_id": order_id}, created_at=moment, date=moment)
    await change_rows(shop, "order_status_history", {"order_id": order_id}, created_at=moment)
    await change_order(shop, order_id, created_at=moment)


@pytest.mark.parametrize("zone", share(ZONES, 0, 2))
async def test_a_day_is_closed_with_the_sales_of_the_local_day(branch: BranchFixture, zone: str) -> None:
    till, product = Till(branch), await branch.add_product(price="10")
    paid = await till.paid("10")
    start, end = local_day_bounds(date(2026, 1, 20), get_zone(zone))
    for moment in (start - SECOND, start, end - SECOND, end):
        sale = await till.ring_up("10.00", line(product, "product"), cashier="Huda", payment_methods=[paid])
        await move_to(branch.shop, UUID(sale["id"]), moment)
    closed = json_exact(await till.request("GET", f"/pos/day-close?team_id={branch.branch_id}&date=2026-01-20"))["data"]
    assert [row["sales"] for row in closed["cashiers"]] == [2]


@pytest.mark.parametrize("zone", ZONES[:3])
async def test_an_invoice_shows_the_hour_of_the_same_rules(branch: BranchFixture, conn: Connection, zone: str) -> None:
    sold = await Till(branch).ring_up("10.00", line(await branch.add_product(price="10"), "product"))
    await issue_invoice(conn, await branch.shop.tenant(), UUID(sold["id"]), None)
    invoice = await fetch(conn, branch.shop.tenant_id, invoice_of_order(UUID(sold["id"])))
    assert invoice is not None
    local = to_local(invoice.issued_at, get_zone(zone))
    assert f"{local:%-H:%M}" in render_page(invoice, "en")
