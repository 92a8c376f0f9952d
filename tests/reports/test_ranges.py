"""A report of any range reads whole months and the days at its ends, and finds what a count of all days does."""

from datetime import date, timedelta
from decimal import Decimal
from itertools import product
from random import Random
from typing import NamedTuple
from uuid import UUID

from frontdesk.postgres.pool import Connection
from frontdesk.reports.commission_queries import Basis, list_commissions
from frontdesk.reports.customer_queries import count_customers
from frontdesk.reports.period import Period
from frontdesk.reports.sales_queries import list_item_sales, list_staff_sales
from frontdesk.reports.types import CustomerCount, Span
from frontdesk.values.ids import uuid7
from tests.factories.reports import insert_customer_sums, insert_item_sums, make_commission_rate, sum_months
from tests.support.branch import open_branch
from tests.support.repetitions import repetitions
from tests.support.service import Service
from tests.support.shop import Shop

FIRST = date(2026, 1, 10)
DAYS = 120
RATE_DAYS = (FIRST, FIRST + timedelta(days=34), FIRST + timedelta(days=80))


class Sale(NamedTuple):
    day: date
    item_id: UUID
    staff_id: UUID
    total: Decimal


class Visit(NamedTuple):
    day: date
    customer_id: UUID
    branch_id: UUID
    orders: int  # negative: more were canceled than made


async def test_ranges_of_days_are_the_sums_of_their_days(service: Service, other_shop: Shop, conn: Connection) -> None:
    shop, rng = await service.new_shop(), Random(5)
    branch, beside = await open_branch(shop), await open_branch(shop)
    items = [await branch.add_service() for _ in range(2)]
    staff = [await branch.add_provider(*items) for _ in range(2)]
    days = [FIRST + timedelta(days=n) for n in range(DAYS)]
    sales = [
        Sale(*key, Decimal(rng.randint(-500, 9000)) / 100) for key in product(days, items, staff) if rng.random() < 0.7
    ]
    people = [uuid7() for _ in range(12)]
    branches = (branch.branch_id, beside.branch_id)
    visits = [Visit(*key, rng.choice([-1, 0, 1, 1])) for key in product(days, people, branches) if rng.random() < 0.03]
    firsts = {person: min(visit.day for visit in visits if visit.customer_id == person) for person in people}
    await insert_item_sums(shop, branch.branch_id, sales)
    await insert_customer_sums(shop, visits, firsts)
    await sum_months(shop)
    for percent, starts_on in enumerate(RATE_DAYS, 10):
        await make_commission_rate(shop, starts_on, percent)
    for _ in range(repetitions(8, long=200)):
        first, last = sorted(rng.sample(days, 2))
        period = Period(first, last) if rng.random() < 0.7 else Period(first.replace(day=1), date(2026, 4, 30))
        chosen = rng.choice([None, branch.branch_id])
        span = Span(period.before().first, *period, chosen)
        for found, key in (
            (await list_item_sales(conn, shop.tenant_id, span), "item_id"),
            (await list_staff_sales(conn, shop.tenant_id, span), "staff_id"),
        ):
            assert sorted((s.total, s.before) for s in found) == _sold(sales, span, key), period
        commissions = await list_commissions(conn, await shop.tenant(), span, Basis.BOOKED)
        assert sum(c.base for c in commissions) == sum(s.total for s in sales if span.first <= s.day <= span.last)
        parts = period.parts()
        counts = await count_customers(conn, shop.tenant_id, span, parts.starts)
        ends = [*(start - timedelta(days=1) for start in parts.starts[1:]), period.last]
        here = [visit for visit in visits if chosen in (None, visit.branch_id)]
        assert counts.parts == [_came(here, firsts, *ends_of) for ends_of in zip(parts.starts, ends, strict=True)]
        assert counts.period == _came(here, firsts, *period)
        assert counts.before == _came(here, firsts, span.compared_from, span.first - timedelta(days=1))
        assert counts.period.new == sum(part.new for part in counts.parts)


def _sold(sales: list[Sale], span: Span, key: str) -> list[tuple[Decimal, Decimal]]:
    sums: dict[UUID, list[Decimal]] = {}
    for sale in sales:
        if span.compared_from <= sale.day <= span.last:
            both = sums.setdefault(getattr(sale, key), [Decimal(0), Decimal(0)])
            both[sale.day < span.first] += sale.total
    return sorted((now, before) for now, before in sums.values())


def _came(visits: list[Visit], firsts: dict[UUID, date], first: date, last: date) -> CustomerCount:
    """New are those whose first sale is one of these, also if it was canceled; returning, of whom a sale stands."""
    within = [visit for visit in visits if first <= visit.day <= last]
    new = {visit.customer_id for visit in within if visit.day == firsts[visit.customer_id]}
    orders = dict.fromkeys(firsts, 0)
    for visit in within:
        orders[visit.customer_id] += visit.orders
    return CustomerCount(len(new), sum(count > 0 and person not in new for person, count in orders.items()))
