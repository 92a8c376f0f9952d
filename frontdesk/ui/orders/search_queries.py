"""Finds orders by what people type: an order number, or the name, e-mail address or phone number of the customer."""

from collections.abc import Sequence

import msgspec

from frontdesk.orders.filters import OrderFilter, typed_number
from frontdesk.orders.queries.reading import ORDERS, period_conditions
from frontdesk.postgres.query import Query, decoded
from frontdesk.ui.components.order_list_queries import SORTS, OrderSort, StatusCounts

_MAX_MATCHES = 10_000
_MAX_NEWEST = 1000


class FoundOrders(msgspec.Struct, frozen=True):
    numbers: list[int]
    counts: StatusCounts


def search_orders(words: Sequence[str], text: str, filter_: OrderFilter, sort: OrderSort) -> Query[FoundOrders]:
    """Up to `_MAX_MATCHES` orders are read through their customers, and counted for each status.

    If there are more, they are frequent: walking through the orders finds the first ones soon.
    """
    rest, by = filter_._replace(status=None), SORTS.get(sort)
    order = by.forward if by else "order_number DESC"
    given = rest.conditions() | period_conditions(ORDERS, rest)
    values: list[object] = [typed_number(text), filter_.status, *words, *given.values()]
    customers = "".join(f" AND position(${number} IN c.search_text) > 0" for number in range(4, 4 + len(words)))
    named = f"SELECT c.id FROM customers c WHERE c.tenant_id = $1{customers}"
    tests = "".join(f" AND {test.replace('?', str(number))}" for number, test in enumerate(given, 4 + len(words)))
    source = f"SELECT order_number, starts_at, status FROM orders WHERE tenant_id = $1{tests}"
    return Query(
        f"""
        WITH matches AS MATERIALIZED (
            ({source} AND order_number = $2::bigint)
            UNION ALL
            (SELECT o.* FROM ({named} OFFSET 0) c CROSS JOIN LATERAL (
                {source} AND customer_id = c.id AND order_number IS DISTINCT FROM $2 OFFSET 0) o)
            LIMIT {_MAX_MATCHES + 1}
        ), few AS MATERIALIZED (
            SELECT count(*) <= {_MAX_MATCHES} AS are_all FROM matches
        ), found AS MATERIALIZED (
            (SELECT * FROM matches WHERE (SELECT are_all FROM few))
            UNION ALL
            (SELECT * FROM matches WHERE order_number = $2 AND NOT (SELECT are_all FROM few))
            UNION ALL
            ({source} AND order_number IS DISTINCT FROM $2 AND (customer_id IN ({named})) IS TRUE
             AND ($3::text IS NULL OR status = $3) AND NOT (SELECT are_all FROM few)
             ORDER BY {order} LIMIT {_MAX_NEWEST})
        )
        SELECT json_build_object(
            'numbers', (SELECT coalesce(json_agg(order_number), '[]') FROM found WHERE status = coalesce($3, status)),
            'counts', json_build_object('is_complete', (SELECT are_all FROM few), 'by_status', (
                SELECT coalesce(json_object_agg(s.status, s.count), '{{}}')
                FROM (SELECT status, count(*) AS count FROM found GROUP BY status) s)))::text AS document
        """,
        tuple(values),
        decoded(FoundOrders),
    )
