"""Statements for categories, items and packages. The database builds the JSON.

The forms of lists are those of item_document.sql and package_document.sql, in one statement for all rows.
"""

from uuid import UUID

from frontdesk.catalog.types import ItemFilter
from frontdesk.custom_data.queries import FIELDS, conditions, joined
from frontdesk.postgres.changes import list_order
from frontdesk.postgres.query import Query, document, json_bytes, page, page_keys, page_of, unknown_filters
from frontdesk.tenants.price_queries import BASE_SELLABLE, CHARGED, OFFER, OFFER_OF_OPTION, TAX, TAX_DOCUMENT
from frontdesk.tenants.queries import COUNTED_ROWS
from frontdesk.values.pagination import ChangesSince, Page, PageRequest

_BRANCH = "json_build_object('id', b.id, 'name', b.name)"

_ROUNDED = "round({0}, context.currency_decimals)"
# The price of a record as it was entered, and on which days the offer counts.
_ENTERED = f"""'entered_price', {_ROUNDED.format("{0}.price")},
    'entered_offer_price', {_ROUNDED.format("{0}.offer_price")}, 'offer_from', {{0}}.offer_from,
    'offer_until', {{0}}.offer_until, 'tax_class_id', {{0}}.tax_class_id"""

_CATEGORY = f"""json_build_object(
    'id', c.id, 'version', c.version, 'name', c.name, 'slug', c.slug, 'description', c.description, 'status', c.status,
    'sort_order', c.sort_order, 'branch', {_BRANCH}, 'created_at', format_utc(c.created_at),
    'updated_at', format_utc(c.updated_at))"""

_OPTION_VALUES = """(
    SELECT coalesce(json_agg(json_build_object(
        'option_value_id', v.id, 'option_name', published_text(v.option_name, context.languages),
        'value', published_text(v.value, context.languages))
        ORDER BY published_text(v.option_name, context.languages), v.id), '[]')
    FROM item_option_values iv JOIN option_values v ON v.tenant_id = $1 AND v.id = iv.option_value_id
    WHERE iv.tenant_id = $1 AND iv.option_id = o.id)"""

_OPTION = f"""
    'id', o.id, 'name', published_text(o.name, context.languages), 'names', o.name, 'sku', o.sku, 'barcode', o.barcode,
    'price', {CHARGED.format("o.price")}, 'offer_price', {CHARGED.format(OFFER_OF_OPTION.format("i", "o"))},
    'entered_price', {_ROUNDED.format("o.price")}, 'entered_offer_price', {_ROUNDED.format("o.offer_price")},
    'is_active', o.is_active"""

_OPTIONS = f"""(
    SELECT coalesce(json_agg(
        CASE WHEN i.type = 'service'
             THEN json_build_object({_OPTION}, 'duration', coalesce(o.duration, i.duration), 'values', {_OPTION_VALUES})
             ELSE json_build_object({_OPTION}, 'quantity', coalesce(o.quantity, 0),
                 'quantity_counted', o.quantity IS NOT NULL, 'low_stock', o.low_stock, 'values', {_OPTION_VALUES})
        END ORDER BY o.sort_order, o.id), '[]')
    FROM item_options o WHERE o.tenant_id = $1 AND o.item_id = i.id)"""

_ITEM = f"""
    'id', i.id, 'version', i.version, 'type', i.type, 'sku', i.sku, 'barcode', i.barcode, 'name', i.name,
    'slug', i.slug, 'description', i.description,
    'html_description', i.html_description, 'status', i.status, 'price', {CHARGED.format("i.price")},
    'offer_price', {CHARGED.format(OFFER.format("i"))}, {_ENTERED.format("i")}, 'tax', {TAX_DOCUMENT},
    'currency', context.currency, 'options', {_OPTIONS}, 'base_sellable', {BASE_SELLABLE},
    'category', CASE WHEN c.id IS NOT NULL THEN json_build_object('id', c.id, 'name', c.name, 'status', c.status) END,
    'branch', {_BRANCH}, 'created_at', format_utc(i.created_at), 'updated_at', format_utc(i.updated_at)"""

_SERVICE = f"{_ITEM}, 'duration', i.duration, 'buffer_before', i.buffer_before, 'buffer_after', i.buffer_after"
_PRODUCT = f"""{_ITEM}, 'cost', {_ROUNDED.format("i.cost")}, 'supplier', i.supplier, 'stock', coalesce(i.stock, 0),
    'stock_counted', i.stock IS NOT NULL, 'low_stock', i.low_stock"""
_FORM = "CASE i.type WHEN 'service' THEN json_build_object({0}{2}) ELSE json_build_object({1}{2}) END"
_IN_LIST, _AT_TILL = (_FORM.format(_SERVICE, _PRODUCT, more) for more in (f", {FIELDS}", ""))
_OWN = joined("item", "i.id")
_SURROUNDINGS = f"""
    JOIN branches b ON b.tenant_id = $1 AND b.id = i.branch_id
    LEFT JOIN categories c ON c.tenant_id = $1 AND c.id = i.category_id
    {TAX.format("i")}"""


def list_categories(
    branch_id: UUID | None, page_request: PageRequest, since: ChangesSince | None = None
) -> Query[Page]:
    """In the order that the tenant chose."""
    order = list_order(since, "sort_order, id", first=5)
    where = f"tenant_id = $1 AND ($2::uuid IS NULL OR branch_id = $2){order.where}"
    branch = "SELECT WHERE $2::uuid IS NULL UNION ALL SELECT FROM branches WHERE tenant_id = $1 AND id = $2"
    return Query(
        f"""
        WITH counted AS MATERIALIZED (SELECT count(*) AS total FROM categories WHERE {where})
        SELECT {page_of(_CATEGORY, order.of("c"))} AS documents, (SELECT total FROM counted) AS total,
               {unknown_filters("(SELECT total FROM counted)", {"branch_id": branch})} AS unknown
        FROM (SELECT * FROM categories WHERE {where} ORDER BY {order.forward} OFFSET $3 LIMIT $4) c
        JOIN branches b ON b.tenant_id = $1 AND b.id = c.branch_id
        """,
        (branch_id, page_request.offset, page_request.per_page, *order.values),
        page,
        is_late=since is None,
    )


def list_items(filter_: ItemFilter, page_request: PageRequest, since: ChangesSince | None = None) -> Query[Page]:
    """In the order that the tenant chose."""
    where, values = _conditions(filter_)
    order = list_order(since, "sort_order, id", "sort_order DESC, id DESC", first=len(values) + 2)
    where += order.where
    values += order.values
    source = f"FROM items WHERE tenant_id = $1 {where}"
    total = f"SELECT count(*) {source}" if where else f"SELECT {COUNTED_ROWS.format('items')}"
    skip = len(values) + 2
    unknown = unknown_filters("(SELECT total FROM counted)", _named_records(filter_))
    form, own = (_AT_TILL, "") if filter_.of_key_branch else (_IN_LIST, _OWN)
    return Query(
        f"""
        WITH {page_keys(source, "id", (order.forward, order.backward), total, skip)}
        SELECT {page_of(form, order.of("i"))} AS documents, (SELECT total FROM counted) AS total,
               {unknown} AS unknown
        FROM keys CROSS JOIN LATERAL (SELECT * FROM items WHERE tenant_id = $1 AND id = keys.id OFFSET 0) i
        {_SURROUNDINGS} {own}
        """,
        (*values, page_request.offset, page_request.per_page),
        page,
        is_late=since is None,
    )


_PACKAGE = f"""json_build_object(
    'id', p.id, 'version', p.version, 'sku', p.sku, 'name', p.name, 'description', p.description, 'branch', {_BRANCH},
    'price', {CHARGED.format("p.price")}, 'offer_price', {CHARGED.format(OFFER.format("p"))}, {_ENTERED.format("p")},
    'tax', {TAX_DOCUMENT},
    'status', p.status, 'items', (
        SELECT coalesce(json_agg(json_build_object(
            'id', i.id, 'name', i.name, 'type', i.type, 'quantity', c.quantity)
            ORDER BY c.sort_order, i.sort_order, i.id), '[]')
        FROM package_items c JOIN items i ON i.tenant_id = $1 AND i.id = c.item_id
        WHERE c.tenant_id = $1 AND c.package_id = p.id),
    'created_at', format_utc(p.created_at), 'updated_at', format_utc(p.updated_at))"""


def list_packages(page_request: PageRequest, since: ChangesSince | None = None) -> Query[Page]:
    """Newest first."""
    order = list_order(since, "created_at DESC, id DESC", first=4)
    source = f"FROM packages WHERE tenant_id = $1{order.where}"
    return Query(
        f"""
        SELECT {page_of(_PACKAGE, order.of("p"))} AS documents, (SELECT count(*) {source}) AS total
        FROM (SELECT * {source} ORDER BY {order.forward} OFFSET $2 LIMIT $3) p
        JOIN branches b ON b.tenant_id = $1 AND b.id = p.branch_id {TAX.format("p")}
        """,
        (page_request.offset, page_request.per_page, *order.values),
        page,
        is_late=since is None,
    )


def get_package(package_id: UUID) -> Query[bytes]:
    return Query(f"SELECT {json_bytes('package_document($1, $2)')} AS document", (package_id,), document("package"))


def _conditions(filter_: ItemFilter) -> tuple[str, list[object]]:
    tests: dict[str, object | None] = {
        "branch_id = $?": filter_.branch_id,
        "category_id = $?": filter_.category_id,
        "type = $?": filter_.type,
        "position($? IN name_search) > 0": filter_.name,
        "sku = $?": filter_.sku,
    }
    used = {test: value for test, value in tests.items() if value is not None}
    used |= conditions(filter_.own, "item")
    where = "".join(f" AND {test.replace('?', str(number))}" for number, test in enumerate(used, 2))
    if filter_.of_key_branch:
        where += f" AND {_OF_KEY_BRANCH}"
    return where, list(used.values())


# An API key that is bound to a branch sees only that branch.
_OF_KEY_BRANCH = "branch_id = coalesce(context.branch_id, branch_id)"


def _named_records(filter_: ItemFilter) -> dict[str, str]:
    found, number = {}, 2
    if filter_.branch_id is not None:
        found["branch_id"] = f"SELECT FROM branches WHERE tenant_id = $1 AND id = ${number}"
        number += 1
    if filter_.category_id is not None:
        found["category_id"] = f"SELECT FROM categories WHERE tenant_id = $1 AND id = ${number} AND {_OF_KEY_BRANCH}"
    return found


def get_item(item_id: UUID) -> Query[bytes]:
    form = json_bytes("item_document($1, $2)")
    return Query(f"SELECT $2::uuid AS id, {form} AS document", (item_id,), document("item"))


def list_pinned_items(page_request: PageRequest) -> Query[Page]:
    """In the order in which they were pinned, which is that of the till."""
    return Query(
        f"""
        WITH pinned AS (
            SELECT i.id, i.pinned_at FROM items i WHERE i.tenant_id = $1 AND i.pinned_at IS NOT NULL
            UNION ALL
            SELECT p.id, p.pinned_at FROM packages p WHERE p.tenant_id = $1 AND p.pinned_at IS NOT NULL
        )
        SELECT {page_of("pinned_item_document($1, e.id)", "e.pinned_at, e.id")} AS documents,
               (SELECT count(*) FROM pinned) AS total
        FROM (SELECT * FROM pinned ORDER BY pinned_at, id OFFSET $2 LIMIT $3) e
        """,
        (page_request.offset, page_request.per_page),
        page,
    )
