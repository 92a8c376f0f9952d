"""Whatever happens to orders over some days, each day's sums are those of the ledger, to the minor unit."""

from datetime import date, datetime, time
from decimal import Decimal
from uuid import UUID

import pytest

from frontdesk.postgres.pool import Connection
from frontdesk.scheduling.reschedule import RequestedProvider
from tests.orders.drivers import SYSTEM
from tests.reports.days import BusyDays, open_busy_days
from tests.support.acts import reschedule_order
from tests.support.branch import day, line, open_branch
from tests.support.invariants import broken_invariants
from tests.support.pagination import json_exact
from tests.support.repetitions import repetitions
from tests.support.service import Service
from tests.support.shop import Shop
from tests.support.till import Till

pytestmark = pytest.mark.torture

KEPT = {
    "sales_by_item": ("is_month, day, branch_id, item_id, staff_id", ("quantity", "total", "tax_amount")),
    "sales_by_source": (
        "day, branch_id, source, client_id, tax_rate, kind",
        ("orders", "total", "tax_amount", "discount_amount"),
    ),
    "sales_by_customer": ("customer_id, is_month, day, branch_id, first_day", ("orders", "total")),
    "payments_by_method": ("day, branch_id, payment_method_id, kind, staff_id", ("payments", "amount")),
}


async def kept_sums(shop: Shop) -> dict[str, list[str]]:
    """As reports read them: what is summed, and what is not yet."""
    return {view: await sums_of_view(shop, view, *columns) for view, columns in KEPT.items()}


async def sums_of_view(shop: Shop, view: str, keys: str, sums: tuple[str, ...]) -> list[str]:
    totals = ", ".join(f"sum({column})" for column in sums)
    rows = await shop.sql(
        f"""
        SELECT {keys}, ARRAY[{totals}] AS sums FROM {view} WHERE tenant_id = $1
        GROUP BY {keys} HAVING NOT ARRAY[{totals}] <@ ARRAY[0.0]
        """
    )
    return sorted(str(dict(row)) for row in rows)


@pytest.mark.parametrize("seed", range(repetitions(1, long=30)))
async def test_sums_of_each_day_are_those_of_the_ledger(
    service: Service, other_shop: Shop, conn: Connection, seed: int
) -> None:
    shop = await service.new_shop()
    before = await kept_sums(other_shop)
    busy = await open_busy_days(shop, conn, seed)
    for _ in range(2):
        for _ in range(60):
            await busy.step()
        assert await broken_invariants(conn, shop.tenant_id) == []
        await day_closes_agree(busy)
        await busy.pass_day()
    kept = await kept_sums(shop)
    await shop.sql("SELECT rebuild_reports($1)")
    assert await kept_sums(shop) == kept
    assert await kept_sums(other_shop) == before
    assert seed or busy.done >= {"place", "draft", "finish", "move", "pay", "refund", "reassign", "tip", "edit"}


async def day_closes_agree(busy: BusyDays) -> None:
    for on in (day(0), day(-1)):
        path = f"/pos/day-close?team_id={busy.branch.branch_id}&date={on}"
        rows = json_exact(await busy.branch.shop.key_call("GET", path))["data"]["cashiers"]
        closed = [sum(Decimal(row[name]) for row in rows) for name in ("sold", "canceled", "refunded")]
        assert await sums_of_day(busy, on) == (closed[0] + closed[1], closed[2])


async def sums_of_day(busy: BusyDays, on: date) -> tuple[Decimal, Decimal]:
    """Of what became a sale, was changed and stopped being one, and of refunds."""
    (row,) = await busy.branch.shop.sql(
        """
        SELECT coalesce(sum(total) FILTER (WHERE kind IN ('sale', 'cancellation', 'change')), 0) AS sold,
               coalesce(sum(total) FILTER (WHERE kind = 'refund'), 0) AS refunded
        FROM sales_by_source WHERE tenant_id = $1 AND branch_id = $2 AND day = $3
        """,
        busy.branch.branch_id,
        on,
    )
    return row["sold"], row["refunded"]


async def test_what_is_sold_after_a_close_counts_on_the_same_day(service: Service, other_shop: Shop) -> None:
    own_shop = await service.new_shop()
    till = Till(await open_branch(own_shop))
    oil = await till.branch.add_product(price="10")
    await till.ring_up("10", line(oil, "product"))
    body = {"team_id": str(till.branch.branch_id), "date": str(day(0))}
    json_exact(await till.request("POST", "/pos/day-close", body))
    await till.ring_up("10", line(oil, "product"))
    rows = await own_shop.sql(
        "SELECT day, quantity FROM sales_by_item WHERE tenant_id = $1 AND item_id = $2 AND NOT is_month", oil
    )
    assert {(row["day"], row["quantity"]) for row in rows} == {(day(0), 1)}
    kept = await kept_sums(own_shop)
    await own_shop.sql("SELECT rebuild_reports($1)")
    assert await kept_sums(own_shop) == kept


async def test_another_provider_for_a_summed_sale_leaves_later_sales_to_be_summed(
    service: Service, other_shop: Shop, conn: Connection
) -> None:
    busy = await open_busy_days(await service.new_shop(), conn, 1)
    shop = busy.branch.shop
    busy.lines = busy.lines[:1] * 3  # a service of the first provider, once or several times
    await busy.place()
    await shop.sql("SELECT rebuild_reports($1)")
    await busy.place()

    async def reassign(order_id: UUID) -> int:
        rows = await shop.sql("SELECT line_id FROM bookings WHERE tenant_id = $1 AND order_id = $2", order_id)
        providers = [RequestedProvider(row["line_id"], busy.staff[1]) for row in rows]
        start = datetime.combine(day(40), time(4 * busy.orders.index(order_id)))
        await reschedule_order(conn, busy.tenant, order_id, start, providers, SYSTEM)
        assert await broken_invariants(conn, shop.tenant_id) == []
        (counter,) = await shop.sql(
            "SELECT value - summed AS unsummed FROM tenant_counters WHERE tenant_id = $1 AND name = 'order_number'"
        )
        return int(counter["unsummed"])

    assert await reassign(busy.orders[0]) == 1
    assert await reassign(busy.orders[1]) == 0, "its own sale is summed before it changes"
