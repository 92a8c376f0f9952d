"""One statement searches all that a caller may read, by the conditions of the lists of the dashboard."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from asyncpg import Record

from frontdesk.auth.scopes import Scope
from frontdesk.catalog.list_queries import item_conditions, package_conditions
from frontdesk.catalog.page_types import CatalogueFilter
from frontdesk.customers.documents import LIST_ITEM
from frontdesk.customers.list_queries import ListFilter, customer_conditions
from frontdesk.customers.search import search_words
from frontdesk.orders.filters import typed_number
from frontdesk.orders.json_sql import ORDER_JOINS, order_list_item
from frontdesk.postgres.query import Query, always, json_bytes
from frontdesk.staff.list_queries import staff_conditions
from frontdesk.values.text import search_key

Conditions = Iterable[tuple[str, object]]  # SQL with `$?` for the value


class Found(NamedTuple):
    document: bytes
    records: Mapping[str, int]  # by the scope with which they were read


_SCOPES = {
    "customers": Scope.CUSTOMERS_READ,
    "orders": Scope.ORDERS_READ,
    "items": Scope.ITEMS_READ,
    "staff": Scope.STAFF_READ,
}
# Read once, as the list of customers is: the order of an index would lead through all of them one by one.
_CUSTOMERS = f"""SELECT coalesce(json_agg({LIST_ITEM} ORDER BY c.created_at DESC, c.id DESC), '[]') FROM (
            SELECT * FROM (SELECT * FROM customers WHERE tenant_id = $1{{customers}} OFFSET 0) all_found
            ORDER BY created_at DESC, id DESC LIMIT $2::bigint) c"""
_ORDERS = f"""SELECT coalesce(json_agg({order_list_item("context.currency_decimals")}), '[]')
            FROM orders o {ORDER_JOINS} WHERE o.tenant_id = $1{{orders}}"""
_BRANCH = "'branch', json_build_object('id', b.id, 'name', b.name), 'status', r.status"
_ITEMS = f"""SELECT coalesce(json_agg(json_build_object('id', r.id, 'type', r.type, 'name', r.name, 'sku', r.sku,
                {_BRANCH}) ORDER BY r.status DESC, r.part, r.sort_order, r.id), '[]')
            FROM (SELECT * FROM (
                    SELECT 1 AS part, a.type, a.sort_order, a.id, a.name, a.sku, a.status, a.branch_id FROM items a
                    WHERE a.tenant_id = $1{{items}}
                    UNION ALL
                    SELECT 2, 'package', 0, a.id, a.name, a.sku, a.status, a.branch_id FROM packages a
                    WHERE a.tenant_id = $1{{packages}}) all_found
                ORDER BY status DESC, part, sort_order, id LIMIT $2) r
            JOIN branches b ON b.tenant_id = $1 AND b.id = r.branch_id"""
_STAFF = f"""SELECT coalesce(json_agg(json_build_object('id', r.id, 'name', r.name, {_BRANCH})
                ORDER BY r.status DESC, r.sort_order, r.id), '[]')
            FROM (SELECT a.id, a.name, a.active AS status, a.sort_order, a.branch_id FROM staff a
                WHERE a.tenant_id = $1{{staff}} ORDER BY a.active DESC, a.sort_order, a.id LIMIT $2) r
            JOIN branches b ON b.tenant_id = $1 AND b.id = r.branch_id"""
_PARTS = {"customers": _CUSTOMERS, "orders": _ORDERS, "items": _ITEMS, "staff": _STAFF}
_MAY = """('*' = ANY (context.approved_scopes) OR '{0}' = ANY (context.approved_scopes))
            AND (context.requested_scopes IS NULL OR '{0}' = ANY (context.requested_scopes))"""
_FOUND = ",\n        ".join(
    f"CASE WHEN {_MAY.format(_SCOPES[name])} THEN ({part}) END AS {name}" for name, part in _PARTS.items()
)
_DOCUMENT = "json_build_object('customers', customers, 'orders', orders, 'items', items, 'staff', staff)"
_STATEMENT = f"""
        SELECT {json_bytes(_DOCUMENT)} AS document,
            {", ".join(f"json_array_length({name}) AS {name}" for name in _SCOPES)}
        FROM (SELECT {_FOUND} OFFSET 0) found"""


def search_records(text: str, limit: int) -> Query[Found]:
    """Up to `limit` of each kind that the caller may read. Nothing for a text without a letter or a number."""
    values: list[object] = [limit]
    tests = {name: _numbered(conditions, values) for name, conditions in _conditions(text).items()}
    return Query(_STATEMENT.format(**tests), tuple(values), always(_found))


def _conditions(text: str) -> dict[str, Conditions]:
    words, key = search_words(text), search_key(text)
    if not words:
        return {name: [("$?::boolean", False)] for name in (*_SCOPES, "packages")}
    catalogue = CatalogueFilter(("service", "product", "package"), search=key, code=text)
    return {
        "customers": customer_conditions(ListFilter(words=words)),
        "orders": [("o.order_number = $?::bigint", typed_number(text))],
        "items": item_conditions(catalogue),
        "packages": package_conditions(catalogue),
        "staff": staff_conditions(active=None, branch_id=None, text=key),
    }


def _numbered(conditions: Conditions, values: list[object]) -> str:
    """With the numbers of the parameters, whose values are added."""
    parts = []
    for test, value in conditions:
        values.append(value)
        parts.append(f" AND {test.replace('?', str(len(values) + 1))}")
    return "".join(parts)


def _found(row: Record) -> Found:
    records = {scope.value: row[name] for name, scope in _SCOPES.items() if row[name] is not None}
    return Found(row["document"], records)
