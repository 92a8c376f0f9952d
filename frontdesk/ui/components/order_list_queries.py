"""Reads the dashboard's list of orders: a page of it, how many there are of each status, and what its filters offer."""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from uuid import UUID

import msgspec
from asyncpg import Record

from frontdesk.orders.filters import OF_STAFF, OrderFilter
from frontdesk.orders.queries.reading import ORDERS, Sort, page_range, period_conditions
from frontdesk.postgres.query import Query, decoded
from frontdesk.ui.components.order_queries import CATALOGUED, LINE_NAME
from frontdesk.values.pagination import PageRequest


class ListedOrder(msgspec.Struct, frozen=True):
    id: UUID
    number: int
    is_refund: bool
    placed_at: datetime
    customer: str | None
    phone: str | None
    items: list[str]
    branch: str
    source: str
    status: str
    payment_status: str
    total: Decimal
    version: int
    starts_at: datetime | None
    staff: list[str]


class OrderSort(StrEnum):
    NEWEST = "newest"
    OLDEST = "oldest"
    APPOINTMENT = "appointment"  # the soonest first; orders without an appointment are left out
    LATEST_APPOINTMENT = "latest-appointment"


_BY_START = "starts_at IS NOT NULL"
SORTS = {
    OrderSort.OLDEST: Sort("order_number ASC", "order_number DESC"),
    OrderSort.APPOINTMENT: Sort("starts_at ASC, order_number ASC", "starts_at DESC, order_number DESC", _BY_START),
    OrderSort.LATEST_APPOINTMENT: Sort(
        "starts_at DESC, order_number DESC", "starts_at ASC, order_number ASC", _BY_START
    ),
}


read_listed_order = msgspec.json.Decoder(ListedOrder).decode


class OrderPage(msgspec.Struct, frozen=True):
    """`rows` as the database wrote them: a page that has shown one before need not read it."""

    rows: list[msgspec.Raw]
    total: int

    @property
    def orders(self) -> list[ListedOrder]:
        return [read_listed_order(row) for row in self.rows]


def list_dashboard_orders(
    filter_: OrderFilter, page_request: PageRequest, language: str | None, order: OrderSort = OrderSort.NEWEST
) -> Query[OrderPage]:
    """`language` is for the names of the lines; None means the tenant's first language."""
    sort = SORTS.get(order)
    span = page_range(ORDERS, filter_, page_request, first=3, sort=sort)
    shown = sort.forward if sort else "order_number DESC"
    return Query(
        f"""
        WITH {span.parts}
        SELECT coalesce(json_agg(json_build_object(
            'id', o.id, 'number', o.order_number, 'is_refund', o.parent_id IS NOT NULL,
            'placed_at', format_utc(o.created_at), 'customer', nullif(concat_ws(' ', c.first_name, c.last_name), ''),
            'phone', c.phone, 'items', ARRAY(SELECT {LINE_NAME} FROM order_lines l {CATALOGUED}
                WHERE l.tenant_id = $1 AND l.order_id = o.id ORDER BY l.position LIMIT 4),
            'branch', b.name, 'source', o.source, 'status', o.status, 'version', o.version,
            'starts_at', format_utc(o.starts_at),
            'staff', ARRAY(SELECT DISTINCT s.name
                FROM order_lines l JOIN staff s ON s.tenant_id = $1 AND s.id = l.staff_id
                WHERE l.tenant_id = $1 AND l.order_id = o.id),
            'payment_status', payment_status(o.total, o.paid_amount, o.refunded_amount), 'total', o.total::text)
            ORDER BY {shown}), '[]')::text AS orders, {span.total} AS total
        FROM page o
        JOIN branches b ON b.tenant_id = $1 AND b.id = o.branch_id
        LEFT JOIN customers c ON c.tenant_id = $1 AND c.id = o.customer_id
        """,
        (language, *span.values),
        _order_page,
    )


def _order_page(row: Record | None) -> OrderPage:
    if row is None:
        return OrderPage([], 0)
    return OrderPage(msgspec.json.decode(row["orders"], type=list[msgspec.Raw]), row["total"] or 0)


MAX_COUNT = 1000
_MAX_READ = 10_000  # orders that are read to count them
_STATUSES = "unnest(ARRAY['draft', 'confirmed', 'in-progress', 'completed', 'canceled']) AS s (status)"


class StatusCounts(msgspec.Struct, frozen=True):
    by_status: dict[str, int] = {}
    is_complete: bool = True  # otherwise only the newest orders were counted
    sums: dict[str, Decimal] = {}  # of the totals; empty if every order is listed, which may be a million


def count_by_status(filter_: OrderFilter) -> Query[StatusCounts]:
    """How many orders of each status match the rest of the filter. A tenant may have a million orders, so:

    Filters that match few orders are counted whole. Of a payment status or a provider, the newest orders are counted.
    Without a filter, each status is counted to `MAX_COUNT` + 1, from the index of statuses.
    """
    without = filter_._replace(status=None)
    given = without.conditions() | period_conditions(ORDERS, without)
    tests = {test: test.replace("?", str(number)) for number, test in enumerate(given, 2)}
    if without == OrderFilter(branch_id=without.branch_id):
        sql = _count_each(_matching(tests))
    elif without == OrderFilter(branch_id=without.branch_id, payment_status=without.payment_status):
        sql = _count(
            f"{_matching(tests)} ORDER BY order_number DESC LIMIT {_MAX_READ + 1}", f"sum(count) <= {_MAX_READ}"
        )
    elif without == OrderFilter(branch_id=without.branch_id, staff_id=without.staff_id):
        newest = f"{tests[OF_STAFF].removesuffix(')')} ORDER BY l.order_id DESC LIMIT {_MAX_READ + 1})"
        tests[OF_STAFF] = newest
        sql = _count(_matching(tests), f"(SELECT count(*) FROM {newest.removeprefix('id IN ')} n) <= {_MAX_READ}")
    else:
        sql = _count(_matching(tests), "true")
    return Query(sql, tuple(given.values()), _counts)


def _matching(tests: Mapping[str, str]) -> str:
    return " AND ".join(("FROM orders WHERE tenant_id = $1", *tests.values()))


def _count_each(matching: str) -> str:
    few = f"SELECT {matching} AND status = s.status LIMIT {MAX_COUNT + 1}"
    return f"""SELECT json_object_agg(s.status, (SELECT count(*) FROM ({few}) few))::text AS counts,
        '{{}}' AS sums, true AS is_complete FROM {_STATUSES}"""


def _count(matching: str, is_complete: str) -> str:
    # A canceled order is no sale, so its refunds are left out of the sum as well, as in the reports.
    return f"""SELECT json_object_agg(status, count)::text AS counts, json_object_agg(status, sum::text)::text AS sums,
        {is_complete} AS is_complete
        FROM (SELECT status, count(*) AS count, coalesce(sum(total) FILTER (WHERE parent_id IS NULL OR NOT EXISTS (
                  SELECT FROM orders p
                  WHERE p.tenant_id = $1 AND p.id = few.parent_id AND p.status = 'canceled')), 0) AS sum
              FROM (SELECT status, total, parent_id {matching}) few GROUP BY status) found"""


def _counts(row: Record | None) -> StatusCounts:
    if row is None or row["counts"] is None:
        return StatusCounts()
    return StatusCounts(
        msgspec.json.decode(row["counts"], type=dict[str, int]),
        row["is_complete"],
        msgspec.json.decode(row["sums"], type=dict[str, Decimal]),
    )


class SavedView(msgspec.Struct, frozen=True):
    id: UUID
    name: str
    query: str
    is_shared: bool
    version: int


class ListChoices(msgspec.Struct, frozen=True):
    """What the filters of the list offer, and its saved views."""

    branches: list[tuple[UUID, str]]
    staff: list[tuple[UUID, str]]
    applications: list[tuple[UUID, str]]  # that have created orders or could
    views: list[SavedView]
    customer: str | None  # the name of the one that is filtered by


def list_choices(user_id: UUID, customer_id: UUID | None) -> Query[ListChoices]:
    return Query(_CHOICES, (user_id, customer_id), decoded(ListChoices))


_CHOICES = """SELECT json_build_object(
    'branches', (SELECT coalesce(json_agg(json_build_array(b.id, b.name) ORDER BY b.name, b.id), '[]')
        FROM branches b WHERE b.tenant_id = $1),
    'staff', (SELECT coalesce(json_agg(json_build_array(s.id, s.name) ORDER BY s.name_search, s.id), '[]')
        FROM staff s WHERE s.tenant_id = $1 AND s.active),
    'applications', (SELECT coalesce(json_agg(json_build_array(a.id, a.name) ORDER BY a.name, a.id), '[]')
        FROM api_clients a WHERE a.tenant_id = $1),
    'views', (SELECT coalesce(json_agg(json_build_object('id', v.id, 'name', v.name, 'query', v.query,
            'is_shared', v.user_id IS NULL, 'version', v.version) ORDER BY v.name, v.id), '[]')
        FROM order_views v WHERE v.tenant_id = $1 AND (v.user_id = $2 OR v.user_id IS NULL)),
    'customer', (SELECT concat_ws(' ', c.first_name, c.last_name) FROM customers c WHERE c.tenant_id = $1 AND c.id = $3)
    )::text AS document"""
