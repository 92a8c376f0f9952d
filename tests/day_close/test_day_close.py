"""The day's close of a branch: per cashier and method what was taken and given back, and what the drawer holds."""

import asyncio
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from tests.factories.catalog import branch_of
from tests.factories.changes import change_tenant
from tests.support.branch import RIYADH, BranchFixture, day, line, method_of, open_branch
from tests.support.connections import pooled_connection
from tests.support.http_errors import assert_error
from tests.support.pagination import Document, json_exact
from tests.support.service import Service
from tests.support.shop import Shop
from tests.support.till import Till, set_currency

pytestmark = pytest.mark.both_servers


@pytest.fixture(scope="module")
async def busy_shop(service: Service, other_shop: Shop) -> Shop:
    return await service.new_shop()


@pytest.fixture
async def till(busy_shop: Shop) -> Till:
    return Till(await open_branch(busy_shop))


async def close(till: Till, on: date) -> dict[str | None, Document]:
    """The cashiers of the day by name; what was not sold at a till is under nobody."""
    path = f"/pos/day-close?team_id={till.branch.branch_id}&date={on}"
    answered = json_exact(await till.request("GET", path))["data"]
    assert answered["date"] == str(on)
    names = [row["cashier"] for row in answered["cashiers"]]
    assert names == sorted(names, key=lambda name: (name is None, name or ""))
    return {row["cashier"]: row for row in answered["cashiers"]}


def sums(row: Document) -> dict[str, str]:
    names = ("sales", "sold", "refunds", "refunded", "change", "expected_cash")
    return {name: str(row[name]) for name in names}


def methods(row: Document) -> dict[str, tuple[str, str, str]]:
    return {m["type"]: (str(m["paid"]), str(m["refunded"]), str(m["change"])) for m in row["methods"]}


async def sell(till: Till, total: str, cashier: str, *payments: Document, **more: Any) -> Document:
    cream = await till.branch.add_product(price=total)
    return await till.ring_up(total, line(cream, "product"), cashier=cashier, payment_methods=list(payments), **more)


async def put_back_to(shop: Shop, moment: datetime, *order_ids: str) -> None:
    """As if all that became of these orders had happened then."""
    ids = [UUID(order_id) for order_id in order_ids]
    for table, column in (("orders", "id"), ("transactions", "order_id"), ("order_status_history", "order_id")):
        await shop.sql(f"UPDATE {table} SET created_at = $2 WHERE tenant_id = $1 AND {column} = ANY($3)", moment, ids)


async def test_each_cashier_answers_for_what_they_took_and_gave_back(till: Till) -> None:
    sale = await sell(till, "100.00", "Huda", await till.paid("30", "card"), await till.paid("70", tendered="100"))
    await sell(till, "20.00", "Noor", await till.paid("20"))
    await sell(till, "15.50", "Noor", await till.paid("5.50", "mizan-pay"))
    await till.refund(sale["id"], cashier="Noor")
    closed = await close(till, day(0))
    assert list(closed) == ["Huda", "Noor"]
    assert sums(closed["Huda"]) == {
        "sales": "1",
        "sold": "100.00",
        "refunds": "0",
        "refunded": "0.00",
        "change": "30.00",
        "expected_cash": "70.00",
    }
    assert methods(closed["Huda"]) == {"cash": ("70.00", "0.00", "30.00"), "card": ("30.00", "0.00", "0.00")}
    assert sums(closed["Noor"]) == {
        "sales": "2",
        "sold": "35.50",
        "refunds": "1",
        "refunded": "-100.00",
        "change": "0.00",
        "expected_cash": "-50.00",
    }
    assert methods(closed["Noor"]) == {
        "cash": ("20.00", "-70.00", "0.00"),
        "card": ("0.00", "-30.00", "0.00"),
        "third-party": ("5.50", "0.00", "0.00"),
    }


async def test_change_comes_out_of_the_drawer_whatever_was_tendered(till: Till) -> None:
    await sell(till, "50.00", "Huda", await till.paid("50", "card", tendered="60"))
    await sell(till, "40.00", "Huda", await till.paid("40", tendered="50"))
    row = (await close(till, day(0)))["Huda"]
    assert (str(row["change"]), str(row["expected_cash"])) == ("20.00", "30.00")


async def test_payments_outside_the_till_belong_to_no_cashier(till: Till) -> None:
    sale = await sell(till, "50.00", "Huda")
    payment = {"amount": 50, "payment_method_id": await method_of(till.shop)}
    assert (await till.shop.post(f"/orders/{sale['id']}/payments", payment)).status_code == 201
    closed = await close(till, day(0))
    assert (sums(closed["Huda"])["sold"], sums(closed["Huda"])["expected_cash"]) == ("50.00", "0.00")
    assert (closed[None]["sales"], sums(closed[None])["expected_cash"]) == (0, "50.00")


async def test_drafts_and_canceled_orders_are_no_sales_but_their_money_was_taken(till: Till) -> None:
    cream = await till.branch.add_product(price="10")
    await till.ring_up("10.00", line(cream, "product"), cashier="Huda", isDraft=True)
    assert await close(till, day(0)) == {}
    sale = await sell(till, "30.00", "Huda", await till.paid("30"))
    await till.move(sale["id"], "canceled")
    row = (await close(till, day(0)))["Huda"]
    assert (row["sales"], str(row["sold"]), str(row["expected_cash"])) == (0, "0.00", "30.00")


async def test_a_draft_is_a_sale_of_the_day_on_which_it_became_one(till: Till) -> None:
    cream = await till.branch.add_product(price="10")
    ids = [(await till.ring_up("10.00", line(cream, "product"), cashier="Huda", isDraft=True))["id"] for _ in range(2)]
    await put_back_to(till.shop, datetime.now(RIYADH).replace(hour=12) - timedelta(days=2), *ids)
    await till.move(ids[0], "confirmed")
    await till.move(ids[1], "canceled")
    assert await close(till, day(-2)) == {}
    assert str((await close(till, day(0)))["Huda"]["sold"]) == "10.00"
    await till.move(ids[1], "completed")
    await till.move(ids[0], "completed")
    assert (await close(till, day(0)))["Huda"]["sales"] == 2


async def test_a_past_day_does_not_change_when_its_sale_is_canceled_later(till: Till) -> None:
    sale = await sell(till, "30.00", "Huda", await till.paid("30"))
    await put_back_to(till.shop, datetime.now(RIYADH).replace(hour=12) - timedelta(days=2), sale["id"])
    before = await close(till, day(-2))
    assert (before["Huda"]["sales"], str(before["Huda"]["sold"])) == (1, "30.00")
    await till.move(sale["id"], "canceled")
    assert await close(till, day(-2)) == before
    today = (await close(till, day(0)))["Huda"]
    assert (today["sales"], today["cancellations"], str(today["canceled"])) == (0, 1, "-30.00")
    await till.move(sale["id"], "confirmed")
    assert await close(till, day(0)) == {}, "the day ends as it began"
    await till.refund(sale["id"], cashier="Huda")
    assert await close(till, day(-2)) == before
    today = (await close(till, day(0)))["Huda"]
    assert (today["refunds"], str(today["refunded"]), str(today["expected_cash"])) == (1, "-30.00", "-30.00")


async def closing(till: Till, on: date) -> Document:
    body = {"team_id": str(till.branch.branch_id), "date": str(on)}
    closed: Document = json_exact(await till.request("POST", "/pos/day-close", body))["data"]
    return closed


async def stored(till: Till, on: date) -> Document:
    path = f"/pos/day-close?team_id={till.branch.branch_id}&date={on}"
    found: Document = json_exact(await till.request("GET", path))["data"]
    return found


async def test_sales_after_a_day_close_are_in_the_next_shift(till: Till) -> None:
    sale = await sell(till, "30.00", "Huda", await till.paid("30"))
    computed = await stored(till, day(0))
    assert (computed["close_number"], computed["closed_at"]) == (None, None)
    closed = await closing(till, day(0))
    assert closed["cashiers"] == computed["cashiers"]
    assert closed["closed_at"] is not None
    assert await closing(till, day(0)) == closed, "nothing has happened since"
    await sell(till, "7.00", "Huda", await till.paid("7"))
    await till.move(sale["id"], "canceled")
    later = await stored(till, day(0))
    assert (later["close_number"], later["closed_at"]) == (None, None), "something of the day is open"
    (huda,) = later["cashiers"]
    assert (huda["sales"], str(huda["sold"]), huda["cancellations"], str(huda["canceled"])) == (2, "37.00", 1, "-30.00")
    assert (str(huda["expected_cash"]), methods(huda)) == ("37.00", {"cash": ("37.00", "0.00", "0.00")})
    again = await closing(till, day(0))
    assert again["close_number"] == closed["close_number"] + 1
    assert again["cashiers"] == later["cashiers"]
    assert await stored(till, day(0)) == again
    assert (await stored(till, day(1)))["cashiers"] == []
    first, second = await till.shop.sql(
        "SELECT *, cashiers::text AS totals FROM day_closes WHERE tenant_id = $1 AND branch_id = $2 "
        "ORDER BY close_number",
        till.branch.branch_id,
    )
    assert (second["starts_at"], first["day"]) == (first["ends_at"], second["day"])
    assert "30.00" in first["totals"]
    assert "37.00" not in second["totals"]


async def test_sales_after_the_close_of_yesterday_are_closed_with_yesterday(till: Till) -> None:
    noon = datetime.now(RIYADH).replace(hour=12) - timedelta(days=1)
    await put_back_to(till.shop, noon, (await sell(till, "30.00", "Huda", await till.paid("30")))["id"])
    await closing(till, day(-1))
    async with pooled_connection(till.shop.dsn) as raw, raw.transaction():
        await raw.execute("SET LOCAL session_replication_role = replica")  # as if it had been closed at one
        moved = "UPDATE day_closes SET ends_at = $3, closed_at = $3 WHERE tenant_id = $1 AND branch_id = $2"
        await raw.execute(moved, till.shop.tenant_id, till.branch.branch_id, noon + timedelta(hours=1))
    late = (await sell(till, "7.00", "Noor", await till.paid("7")))["id"]
    await put_back_to(till.shop, noon + timedelta(hours=9), late)
    assert await close(till, day(0)) == {}
    assert {name: str(row["sold"]) for name, row in (await close(till, day(-1))).items()} == {
        "Huda": "30.00",
        "Noor": "7.00",
    }
    rest = await closing(till, day(-1))
    assert [row["cashier"] for row in rest["cashiers"]] == ["Huda", "Noor"]


async def test_closes_are_numbered_and_never_changed(till: Till) -> None:
    first, second = await closing(till, day(-2)), await closing(till, day(-1))
    assert second["close_number"] == first["close_number"] + 1
    with pytest.raises(asyncpg.RestrictViolationError):
        await till.shop.sql("UPDATE day_closes SET day = day WHERE tenant_id = $1")


async def test_only_a_day_that_has_begun_is_closed(till: Till) -> None:
    body = {"team_id": str(till.branch.branch_id), "date": str(day(1))}
    answer = await till.request("POST", "/pos/day-close", body)
    assert list(assert_error(answer, 422, "validation_error")["errors"]) == ["date"]


async def test_closing_today_early_does_not_begin_tomorrow(service: Service, other_shop: Shop) -> None:
    till = Till(await open_branch(await service.new_shop()))
    await closing(till, day(0))
    for ahead in (1, 2):
        body = {"team_id": str(till.branch.branch_id), "date": str(day(ahead))}
        answer = await till.request("POST", "/pos/day-close", body)
        assert assert_error(answer, 422, "validation_error")["errors"] == {"date": ["must not be in the future"]}


async def test_what_is_sold_while_the_day_is_closed_is_in_one_of_two_shifts(till: Till) -> None:
    cream = await till.branch.add_product(price="10", stock=100)
    paid = await till.paid("10")

    async def ring_up() -> None:
        await till.ring_up("10.00", line(cream, "product"), cashier="Huda", payment_methods=[paid])

    await asyncio.gather(*(ring_up() for _ in range(10)), closing(till, day(0)), *(ring_up() for _ in range(10)))
    (whole,) = (await stored(till, day(0)))["cashiers"]
    assert (whole["sales"], whole["expected_cash"]) == (20, 200)
    await closing(till, day(0))
    (sold,) = await till.shop.sql(
        "SELECT sum((c ->> 'sales')::integer) AS sales FROM day_closes d, jsonb_array_elements(d.cashiers) c "
        "WHERE d.tenant_id = $1 AND d.branch_id = $2",
        till.branch.branch_id,
    )
    assert sold["sales"] == 20
    assert (await stored(till, day(0)))["cashiers"] == [whole]


async def test_branches_are_closed_one_by_one(till: Till, busy_shop: Shop, branch_beside: BranchFixture) -> None:
    beside = Till(branch_beside)
    await sell(till, "10.00", "Huda", await till.paid("10"))
    await sell(beside, "7.00", "Huda", await beside.paid("7"))
    assert str((await close(till, day(0)))["Huda"]["sold"]) == "10.00"
    assert str((await close(beside, day(0)))["Huda"]["expected_cash"]) == "7.00"


@pytest.fixture
async def branch_beside(busy_shop: Shop) -> BranchFixture:
    return await open_branch(busy_shop)


async def test_the_day_ends_at_the_business_midnight(till: Till) -> None:
    last, first = [(await sell(till, price, "Huda", await till.paid(price)))["id"] for price in ("10.00", "7.00")]
    on = date(2026, 3, 10)
    await put_back_to(till.shop, datetime(2026, 3, 10, 20, 59, 59, 999999, tzinfo=UTC), last)
    await put_back_to(till.shop, datetime(2026, 3, 10, 21, 0, tzinfo=UTC), first)
    assert await close(till, date(2026, 3, 9)) == {}
    assert sums((await close(till, on))["Huda"])["expected_cash"] == "10.00"
    assert sums((await close(till, date(2026, 3, 11)))["Huda"])["expected_cash"] == "7.00"


async def test_the_close_of_a_day_with_a_clock_change_has_all_its_sales(service: Service, other_shop: Shop) -> None:
    shop = await service.new_shop()
    await change_tenant(shop, timezone="America/New_York")
    till = Till(await open_branch(shop))
    ids = [(await sell(till, "10.00", "Huda", await till.paid("10")))["id"] for _ in range(3)]
    hours = [datetime(2026, 11, 1, 4, 0), datetime(2026, 11, 2, 4, 59), datetime(2026, 11, 2, 5, 0)]  # noqa: DTZ001
    for id_, moment in zip(ids, hours, strict=True):
        await put_back_to(shop, moment.replace(tzinfo=UTC), id_)
    assert (await close(till, date(2026, 11, 1)))["Huda"]["sales"] == 2
    assert (await close(till, date(2026, 11, 2)))["Huda"]["sales"] == 1


@pytest.mark.parametrize(("currency", "decimals", "written"), [("JPY", 0, "500"), ("KWD", 3, "500.000")])
async def test_amounts_have_the_decimals_of_the_currency(
    service: Service, other_shop: Shop, currency: str, decimals: int, written: str
) -> None:
    shop = await service.new_shop()
    await set_currency(shop, currency, decimals)
    till = Till(await open_branch(shop))
    await sell(till, "500", "Huda", await till.paid("500"))
    row = (await close(till, day(0)))["Huda"]
    assert (str(row["sold"]), str(row["expected_cash"]), str(row["methods"][0]["paid"])) == (written,) * 3


@pytest.mark.one_server
@pytest.mark.parametrize(
    ("query", "fields"),
    [
        ("", ["date", "team_id"]),
        ("team_id=x&date=2026-02-30", ["date", "team_id"]),
        ("team_id=&date=today", ["date", "team_id"]),
        ("team_id=00000000-0000-4000-8000-000000000000&date=2026-02-03", ["team_id"]),
    ],
)
async def test_a_close_names_a_branch_and_a_date(till: Till, query: str, fields: list[str]) -> None:
    answer = await till.request("GET", f"/pos/day-close?{query}")
    assert sorted(assert_error(answer, 422, "validation_error")["errors"]) == fields


async def test_another_business_cannot_close_our_day(till: Till, other_shop: Shop) -> None:
    theirs = await till.request("GET", f"/pos/day-close?team_id={await branch_of(other_shop)}&date={day(0)}")
    assert list(assert_error(theirs, 422, "validation_error")["errors"]) == ["team_id"]
