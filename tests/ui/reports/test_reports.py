"""Reports through the dashboard: what is sold is in every report of its day, and in its files."""

import csv
import io
import re
from collections.abc import AsyncIterator
from datetime import date, timedelta
from uuid import UUID
from zipfile import ZipFile

import pytest

from frontdesk.auth.types import Role
from frontdesk.values.ids import uuid7
from tests.factories.catalog import branch_of
from tests.factories.changes import age_rows, change_row
from tests.factories.people import make_customer
from tests.factories.users import make_user
from tests.support.branch import NINE_TO_FIVE, day, line, method_of, open_branch
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.forms import texts
from tests.support.pagination import json_exact
from tests.support.service import Service
from tests.support.shop import Shop
from tests.support.till import Till

RATES = "/reports/commissions/rates"


@pytest.fixture
async def till(service: Service, other_shop: Shop) -> Till:
    shop = await service.new_shop()
    return Till(await open_branch(shop))


@pytest.fixture
async def desk(till: Till) -> AsyncIterator[DashboardClient]:
    async with await dashboard_of(till.shop, await make_user(till.shop, Role.MANAGER)) as manager:
        yield manager


async def rows(desk: DashboardClient, till: Till, report: str, **more: object) -> list[dict[str, str]]:
    """Of today, at the till's branch only."""
    first, last = more.get("first", day(0)), more.get("last", day(0))
    path = f"/reports/{report}.csv?from={first}&to={last}&branch={till.branch.branch_id}"
    answer = await desk.get(path)
    assert answer.status_code == 200, answer.text
    return list(csv.DictReader(io.StringIO(answer.text.lstrip("\ufeff"))))


async def test_a_sale_and_its_refund_are_in_every_report(till: Till, desk: DashboardClient) -> None:
    branch = till.branch
    oil = await branch.add_product(price="115", stock=9)
    await change_row(till.shop, "items", oil, cost=40, name='{"en": "Argan"}')
    paid = [await till.paid("345")]
    sale = await till.ring_up("345", line(oil, "product", 3), payment_methods=paid, customer_id=str(branch.customer_id))
    await till.refund(sale["id"], (sale["items"][0]["line_id"], 1), cashier="Huda")

    (today, total) = await rows(desk, till, "sales")
    assert (today["Orders"], today["Sold"], today["Refunded"], today["Net sales"]) == (
        "1",
        "345.00",
        "-115.00",
        "230.00",
    )
    assert total["Net sales"] == "230.00"
    (argan, _) = await rows(desk, till, "items")
    assert (argan["Item"], argan["Sold"], argan["Net sales"], argan["Before"]) == ("Argan", "2", "230.00", "0.00")
    for report in ("categories", "providers", "applications"):
        assert [row["Net sales"] for row in await rows(desk, till, report)] == ["230.00", "230.00"]
    (tax, _) = await rows(desk, till, "tax")
    assert (tax["Net sales"], tax["Tax"], tax["Without tax"]) == ("230.00", "30.00", "200.00")
    (method, _) = await rows(desk, till, "payments")
    assert (method["Paid"], method["Refunded"], method["Received"]) == ("345.00", "-115.00", "230.00")
    (customers, _) = await rows(desk, till, "customers")
    assert (customers["New customers"], customers["Returning customers"]) == ("1", "0")
    await make_customer(till.shop, "Nura")
    overview = (await desk.get(f"/?branch={branch.branch_id}")).text
    new_customers = re.search(r'New customers</dt>\s+<dd><span class="number">1<', overview)
    assert new_customers, "who has bought nothing is not counted"
    stock = next(row for row in await rows(desk, till, "stock") if row["Product"] == "Argan")
    assert (stock["Sold"], stock["In stock"], stock["Value"]) == ("-3", "6", "240.00")
    assert (await rows(desk, till, "items", first=day(-1)))[0]["Net sales"] == "230.00"


async def test_the_page_shows_plots_and_compares_with_the_days_before(till: Till, desk: DashboardClient) -> None:
    week = f"from={day(-6)}&to={day(0)}"
    page = await desk.get(f"/reports?branch={await branch_of(till.shop)}&{week}")
    assert page.status_code == 200
    assert page.text.count('role="img"') == 3
    assert "Received is the money that was paid on these days" in page.text
    assert "data-print" in page.text
    assert "print.js" in (await desk.get("/reports/items")).text
    month = f"/reports/sales?from={day(-400)}&to={day(0)}"
    assert "Net sales by month, SAR" in (await desk.get(month)).text
    assert "The first day must not be after the last" in (await desk.get("/reports?from=2026-02-02&to=2026-02-01")).text
    book = await desk.get("/reports/sales.xlsx")
    assert "xl/worksheets/sheet1.xml" in ZipFile(io.BytesIO(book.content)).namelist()


async def test_the_most_specific_commission_rate_of_the_day_counts(till: Till, desk: DashboardClient) -> None:
    branch = till.branch
    cut = await branch.add_service(price="115")
    nour, maha = await branch.add_provider(cut), await branch.add_provider(cut)
    await branch.set_hours({}, all_time=True)
    for n, staff in enumerate((nour, maha)):
        start = f"{day(1)}T{10 + n}:00:00"
        json_exact(await till.shop.post("/orders", branch.order(line(cut, staff_id=staff), start=start)), 201)

    async def add(percent: str, **more: object) -> int:
        sent = {"id": str(uuid7()), "percent": percent, "starts_on": str(day(0)), **more}
        return (await desk.post(f"{RATES}/new", sent, page=f"{RATES}/new")).status_code

    assert await add("10") == 303
    assert await add("20", staff=str(nour)) == 303
    assert await add("50", staff=str(maha), starts_on=str(day(0) + timedelta(days=1))) == 303, "from tomorrow on"
    assert await add("12.5", staff=str(nour), item=str(cut)) == 303
    assert await add("30", staff=str(nour)) == 422, "there is one from this day on"
    assert await add("101") == 422
    page = f"/reports/commissions?branch={branch.branch_id}"
    assert "on the day they were completed" in (await desk.get(page)).text
    assert (await rows(desk, till, "commissions"))[:-1] == [], "nothing is done yet"
    assert (await desk.post(f"{RATES}/basis", {"basis": "half"}, page=RATES)).status_code == 422
    assert (await desk.post(f"{RATES}/basis", {"basis": "booked"}, page=RATES)).status_code == 303
    assert "Of the sales and bookings without tax" in (await desk.get(page)).text
    assert "changed what earns a commission" in texts((await desk.get("/activity")).text)
    earned = [
        (row["Rate"], row["Sales without tax"], row["Commission"]) for row in await rows(desk, till, "commissions")
    ]
    later = await rows(desk, till, "commissions", first=day(1), last=day(2))
    assert [(row["Commission"], row["Before"]) for row in later][-1] == ("0.00", "22.50")
    assert sorted(earned[:2]) == [("10", "100.00", "10.00"), ("12.5", "100.00", "12.50")]
    assert earned[2][2] == "22.50"

    (rate,) = await till.shop.sql("SELECT id FROM commission_rates WHERE tenant_id = $1 AND item_id IS NOT NULL")
    path = f"{RATES}/{rate['id']}"
    changed = {"version": "1", "percent": "15", "starts_on": str(day(0))}
    assert (await desk.post(path, changed, page=path)).status_code == 303
    assert (await desk.post(path, changed, page=path)).status_code in (409, 422), "the form is outdated"
    assert (await desk.post(f"{path}/delete", {}, page=f"{path}/delete")).status_code == 303
    assert (await rows(desk, till, "commissions"))[-1]["Commission"] == "30.00"
    assert "deleted the commission rate 15.00%" in texts((await desk.get("/activity")).text)


async def test_commission_of_services_done_counts_on_the_day_they_were_completed(
    service: Service, other_shop: Shop
) -> None:
    till = Till(await open_branch(await service.new_shop()))
    async with await dashboard_of(till.shop, await make_user(till.shop, Role.MANAGER)) as desk:
        await check_services_done(till, desk)


async def check_services_done(till: Till, desk: DashboardClient) -> None:
    branch = till.branch
    cut = await branch.add_service(price="115")
    nour = await branch.add_provider(cut)
    await branch.set_hours({}, all_time=True)
    orders = []
    for hour in (10, 12, 14):
        start = f"{day(1)}T{hour}:00:00"
        order = json_exact(await till.shop.post("/orders", branch.order(line(cut, staff_id=nour), start=start)), 201)
        orders.append(order["data"]["id"])
    sent = {"id": str(uuid7()), "percent": "10", "starts_on": str(day(-9)), "staff": str(nour)}
    assert (await desk.post(f"{RATES}/new", sent, page=f"{RATES}/new")).status_code == 303

    async def bases(first: date, last: date) -> list[str]:
        found = await rows(desk, till, "commissions", first=first, last=last)
        return [row["Sales without tax"] for row in found[:-1]]

    assert await bases(day(-9), day(2)) == []
    for order_id in orders[:2]:
        await till.move(order_id, "completed")
    assert await bases(day(0), day(0)) == ["200.00"]
    await age_rows(
        till.shop, "order_status_history", "created_at", by=timedelta(days=3), where={"order_id": UUID(orders[0])}
    )
    assert (await bases(day(-3), day(-3)), await bases(day(0), day(0))) == (["100.00"], ["100.00"])
    payment = {"amount": 115, "payment_method_id": await method_of(till.shop)}
    assert (await till.shop.post(f"/orders/{orders[0]}/payments", payment)).status_code == 201
    await till.refund(orders[0])
    assert await bases(day(-3), day(-3)) == ["100.00"]
    assert await bases(day(0), day(0)) == ["0.00"], "one is done and one was refunded today"
    assert await bases(day(-3), day(0)) == ["100.00"]
    await till.move(orders[1], "canceled")
    assert await bases(day(-3), day(0)) == ["0.00"], "it is not done any more"


async def test_every_day_of_many_weeks_counts_once(till: Till, desk: DashboardClient) -> None:
    await till.branch.set_hours(NINE_TO_FIVE)
    await till.branch.add_provider()
    (*providers, _) = await rows(desk, till, "occupancy", first=day(-69))
    assert {row["Working, h"] for row in providers} == {"560.00"}


async def test_occupancy_is_that_of_the_branch_of_the_browser(till: Till, desk: DashboardClient) -> None:
    await till.branch.set_hours(NINE_TO_FIVE)
    await till.branch.add_provider()
    for branch_id, is_own in ((till.branch.branch_id, True), (await branch_of(till.shop), False)):
        assert (await desk.post("/branch", {"branch": str(branch_id)})).status_code == 303
        assert ("Staff member" in (await desk.get("/reports/occupancy.csv")).text) is is_own
