"""Counts what the list of customers shows after the page, because it takes longer to read than the page itself."""

from datetime import datetime

import msgspec
from asyncpg import Record

from frontdesk.customers.duplicate_queries import EMAIL_KEY, NAME_KEY, PHONE_KEY
from frontdesk.customers.list_queries import MAX_COUNT, VISITED
from frontdesk.postgres.query import Query

_NEWEST = 500  # of so many customers an older record is looked for: the count takes the same time for any list
# From the visit before that time on, as far back as needed: those after which the customer has not come again.
_AWAY = f"""(
    SELECT count(*) FROM (
        SELECT FROM orders o WHERE tenant_id = $1 AND customer_id IS NOT NULL AND {VISITED}
        AND coalesce(starts_at, created_at) < $2::timestamptz AND NOT EXISTS (
            SELECT FROM orders WHERE tenant_id = $1 AND customer_id = o.customer_id AND {VISITED}
            AND (coalesce(starts_at, created_at), id) > (coalesce(o.starts_at, o.created_at), o.id) OFFSET 0)
        ORDER BY coalesce(starts_at, created_at) DESC LIMIT {MAX_COUNT}) a)"""


def _older(key: str) -> str:
    return f"""SELECT id FROM customers c WHERE tenant_id = $1 AND {key.format("c")} = {key.format("n")}
                AND id < n.id AND erased_at IS NULL"""


_TWICE = f"""(
    SELECT count(*) FROM (
        SELECT FROM (SELECT * FROM customers WHERE tenant_id = $1 ORDER BY created_at DESC, id DESC LIMIT {_NEWEST}) n
        WHERE erased_at IS NULL AND EXISTS (
            SELECT FROM ({" UNION ALL ".join(_older(key) for key in (NAME_KEY, EMAIL_KEY, PHONE_KEY))}) o
            WHERE NOT EXISTS (SELECT FROM distinct_customers d
                WHERE d.tenant_id = $1 AND d.customer_id = o.id AND d.other_id = n.id))
        LIMIT {MAX_COUNT}) t)"""


class CustomerCounts(msgspec.Struct, frozen=True):
    """Neither goes beyond MAX_COUNT."""

    away: int = 0  # have visited, but not since then
    twice: int = 0  # of the newest customers, those who look like an older one


def count_customers(not_seen_since: datetime, *, with_duplicates: bool) -> Query[CustomerCounts]:
    return Query(f"SELECT {_AWAY} AS away, {_TWICE if with_duplicates else '0'} AS twice", (not_seen_since,), _counts)


def _counts(row: Record | None) -> CustomerCounts:
    return CustomerCounts(row["away"], row["twice"]) if row else CustomerCounts()
