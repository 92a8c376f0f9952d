"""Reads the list of customers for the dashboard."""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple
from uuid import UUID

import msgspec
from asyncpg import Record

from frontdesk.postgres.query import Query, page_keys
from frontdesk.tenants.queries import COUNTED_ROWS
from frontdesk.values.pagination import PageRequest


class CustomerSort(StrEnum):
    NEWEST = "newest"
    NAME = "name"
    LAST_VISIT = "last_visit"


class ListFilter(msgspec.Struct, frozen=True):
    """None means no filter."""

    words: Sequence[str] = ()  # folded; each occurs in the name, the e-mail address or the phone number
    tag_id: UUID | None = None
    blocked: bool = False
    not_seen_since: datetime | None = None  # has visited, but not since then
    staff_id: UUID | None = None  # has visited this staff member, or will


class ListedTag(msgspec.Struct, frozen=True):
    id: UUID
    name: str
    customers: int = 0


class ListedCustomer(NamedTuple):
    """In the order of the columns that the database returns. `tags` are ids; the totals have their names."""

    id: str
    name: str
    phone: str | None
    email: str | None
    blocked: bool
    is_erased: bool
    tags: list[str]
    visits: int
    last_visit: datetime | None
    spent: str  # a decimal number


class CustomerPage(msgspec.Struct, frozen=True):
    customers: list[ListedCustomer]
    total: int
    totals: "CustomerTotals | None" = None


class CustomerTotals(msgspec.Struct, frozen=True):
    all: int
    new: int
    blocked: int
    tags: list[ListedTag]  # those that most customers have come first


MAX_COUNT = 100  # shown as "99+"

# A visit is a sale that was not canceled and whose time has come.
VISITED = "parent_id IS NULL AND status NOT IN ('draft', 'canceled') AND coalesce(starts_at, created_at) <= now()"
_TAGGED = "id IN (SELECT customer_id FROM customer_tags WHERE tenant_id = $1 AND tag_id = $?)"
_OF_STAFF = """id IN (
    SELECT s.customer_id FROM order_lines l JOIN orders s ON s.tenant_id = $1 AND s.id = l.order_id
    WHERE l.tenant_id = $1 AND l.staff_id = $?)"""
_NOT_SEEN = f"""id IN (
    SELECT customer_id FROM orders WHERE tenant_id = $1 AND {VISITED} AND customer_id IS NOT NULL
    GROUP BY customer_id HAVING max(coalesce(starts_at, created_at)) < $?::timestamptz)"""
_NAME = "left(fold_text(name_search), 600)"
_ORDERS = {
    CustomerSort.NEWEST: ("created_at DESC, id DESC", "created_at, id"),
    CustomerSort.NAME: (f"{_NAME}, id", f"{_NAME} DESC, id DESC"),
}
_LAST_VISITS = f"""LEFT JOIN (
        SELECT customer_id, max(coalesce(starts_at, created_at)) AS last_visit FROM orders
        WHERE tenant_id = $1 AND customer_id IS NOT NULL AND {VISITED} GROUP BY customer_id) v ON v.customer_id = id"""
# Those who have come, by their last visit: from an index, as far as the page needs. Then those who have not come yet.
_VISIT = "tenant_id = $1 AND customer_id IS NOT NULL AND " + VISITED
_BY_LAST_VISIT = f"""counted AS (SELECT {COUNTED_ROWS.format("customers")} AS total), come AS MATERIALIZED (
            SELECT customer_id AS id, coalesce(starts_at, created_at) AS key FROM orders o WHERE {_VISIT}
            AND NOT EXISTS (
                SELECT FROM orders WHERE {_VISIT} AND customer_id = o.customer_id
                AND (coalesce(starts_at, created_at), id) > (coalesce(o.starts_at, o.created_at), o.id) OFFSET 0)
            ORDER BY coalesce(starts_at, created_at) DESC OFFSET $2::bigint LIMIT $3::bigint
        ), keys AS (
            SELECT id, key, NULL::timestamptz AS created_at FROM come
            UNION ALL
            (SELECT id, NULL, created_at FROM customers c WHERE tenant_id = $1
             AND NOT EXISTS (SELECT FROM orders WHERE {_VISIT} AND customer_id = c.id OFFSET 0)
             ORDER BY created_at DESC, id DESC
             OFFSET (SELECT CASE WHEN count(*) < $3 THEN greatest($2 - (
                 SELECT count(DISTINCT customer_id) FROM orders WHERE {_VISIT}), 0) ELSE 0 END FROM come)
             LIMIT (SELECT $3 - count(*) FROM come))
        )"""
# All, those created since then, those blocked, and those of each tag. Only the first goes beyond MAX_COUNT.
_TOTALS = f"""json_build_object(
            'all', {COUNTED_ROWS.format("customers")},
            'new', (SELECT count(*) FROM (
                SELECT FROM customers WHERE tenant_id = $1 AND created_at >= ${{0}}::timestamptz LIMIT {MAX_COUNT}) n),
            'blocked', (SELECT count(*) FROM (
                SELECT FROM customers WHERE tenant_id = $1 AND blocked AND erased_at IS NULL LIMIT {MAX_COUNT}) b),
            'tags', (SELECT coalesce(json_agg(json_build_object('id', t.id, 'name', t.name, 'customers', t.customers)
                    ORDER BY t.customers DESC, t.name_folded), '[]')
                FROM (SELECT id, name, name_folded, (SELECT count(*) FROM (
                        SELECT FROM customer_tags x WHERE x.tenant_id = $1 AND x.tag_id = g.id LIMIT {MAX_COUNT}) c
                    ) AS customers
                    FROM tags g WHERE g.tenant_id = $1 AND g.model = 'customers' OFFSET 0) t))::text"""
_MAX_NEAR_OFFSET = 1000  # further on, the other end of the index may be nearer, or all orders are read once
_ROWS = f"""
        SELECT coalesce(json_agg(json_build_array(
            c.id, concat_ws(' ', c.first_name, c.last_name), c.phone, c.email, c.blocked, c.erased_at IS NOT NULL,
            ARRAY(SELECT tag_id FROM customer_tags WHERE tenant_id = $1 AND customer_id = c.id ORDER BY tag_id),
            s.visits, s.last_visit, s.spent::text)
            ORDER BY {{order}}), '[]')::text AS customers, (SELECT total FROM counted) AS total
        FROM {{customers}} c, LATERAL (
            SELECT count(visit) AS visits, max(visit) AS last_visit, coalesce(sum(net), 0) AS spent FROM (
                SELECT CASE WHEN {VISITED} THEN coalesce(starts_at, created_at) END AS visit,
                       CASE WHEN parent_id IS NULL THEN paid_amount - refunded_amount END AS net
                FROM orders WHERE tenant_id = $1 AND customer_id = c.id OFFSET 0) o) s"""
_OF_KEYS = """(SELECT k.key, p.* FROM keys k,
            LATERAL (SELECT * FROM customers WHERE tenant_id = $1 AND id = k.id OFFSET 0) p)"""


def list_customers(
    filter_: ListFilter, sort: CustomerSort, page_request: PageRequest, totals_since: datetime | None = None
) -> Query[CustomerPage]:
    """Without a filter, a page is read from an index. With one, the customers of the tenant are read once.

    `totals_since`: with the totals, and the number of customers created since then.
    """
    where, values = _conditions(filter_)
    is_near = page_request.offset <= _MAX_NEAR_OFFSET
    sql = _statement(where, len(values) + 2, sort, is_near=is_near, with_totals=totals_since is not None)
    return Query(
        sql,
        (*values, page_request.offset, page_request.per_page, *([totals_since] if totals_since else [])),
        _customer_page,
    )


@lru_cache(maxsize=64)
def _statement(where: str, first: int, sort: CustomerSort, *, is_near: bool, with_totals: bool) -> str:
    """`first` is the number of the first parameter after those of the conditions."""
    key, joined = _sort_key(sort)
    columns = f"id, {key} AS key, created_at"
    order = "key, id" if sort is CustomerSort.NAME else "key DESC NULLS LAST, created_at DESC, id DESC"
    customers = _OF_KEYS
    if not where and sort in _ORDERS and is_near:
        found = f"counted AS (SELECT {COUNTED_ROWS.format('customers')} AS total)"
        customers = f"""(SELECT *, {key} AS key FROM customers WHERE tenant_id = $1 ORDER BY {_ORDERS[sort][0]}
            OFFSET $2::bigint LIMIT $3::bigint)"""
    elif not where and sort in _ORDERS:
        total = f"SELECT {COUNTED_ROWS.format('customers')}"
        found = page_keys("FROM customers WHERE tenant_id = $1", columns, _ORDERS[sort], total, first)
    elif not where and is_near:
        found = _BY_LAST_VISIT
    else:
        found = f"""matched AS MATERIALIZED (
            SELECT {columns} FROM customers {joined} WHERE tenant_id = $1 {where}
        ), counted AS (SELECT count(*) AS total FROM matched), keys AS (
            SELECT * FROM matched ORDER BY {order} OFFSET ${first}::bigint LIMIT ${first + 1}::bigint
        )"""
    rows, totals = _ROWS.format(customers=customers, order=order), _TOTALS.format(first + 2) if with_totals else "NULL"
    return f"WITH {found} SELECT l.*, {totals} AS totals FROM ({rows}) l"


def _sort_key(sort: CustomerSort) -> tuple[str, str]:
    match sort:
        case CustomerSort.NAME:
            return _NAME, ""
        case CustomerSort.LAST_VISIT:
            return "last_visit", _LAST_VISITS
        case CustomerSort.NEWEST:
            return "created_at", ""


def customer_conditions(filter_: ListFilter) -> list[tuple[str, object]]:
    """As SQL with `$?` for the value. Uses position() instead of LIKE: % and _ are ordinary characters in a search."""
    tests: list[tuple[str, object]] = [("position($? IN search_text) > 0", word) for word in filter_.words]
    if filter_.tag_id:
        tests.append((_TAGGED, filter_.tag_id))
    if filter_.not_seen_since:
        tests.append((_NOT_SEEN, filter_.not_seen_since))
    if filter_.staff_id:
        tests.append((_OF_STAFF, filter_.staff_id))
    if filter_.blocked:
        tests.append(("blocked AND $?::boolean", True))
    return tests


def _conditions(filter_: ListFilter) -> tuple[str, list[object]]:
    tests = customer_conditions(filter_)
    where = "".join(f" AND {test.replace('?', str(number))}" for number, (test, _) in enumerate(tests, 2))
    return where, [value for _, value in tests]


def _customer_page(row: Record | None) -> CustomerPage:
    if row is None:
        return CustomerPage([], 0)
    totals = _decode_totals(row["totals"]) if row["totals"] else None
    return CustomerPage(_decode_customers(row["customers"]), row["total"] or 0, totals)


_decode_customers = msgspec.json.Decoder(list[ListedCustomer]).decode
_decode_totals = msgspec.json.Decoder(CustomerTotals).decode
