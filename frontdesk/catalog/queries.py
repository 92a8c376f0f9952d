"""Statements about categories and items. The published forms are written as JSON by the database itself."""

from uuid import UUID

from frontdesk.catalog.types import ItemFilter
from frontdesk.errors import not_found
from frontdesk.postgres.pool import Connection
from frontdesk.tenants.queries import get_row_count
from frontdesk.tenants.types import TenantContext
from frontdesk.values.pagination import Page, PageRequest, choose_scan_direction

_BRANCH = "json_build_object('id', b.id, 'name', b.name)"

_OPTION_VALUES = """(
    SELECT coalesce(json_agg(json_build_object(
        'option_value_id', v.id, 'option_name', v.option_name, 'value', v.value) ORDER BY v.option_name, v.id), '[]')
    FROM item_option_values iv JOIN option_values v ON v.tenant_id = iv.tenant_id AND v.id = iv.option_value_id
    WHERE iv.tenant_id = o.tenant_id AND iv.option_id = o.id)"""

_OPTION = """
    'id', o.id, 'name', o.name, 'price', round(o.price, $2), 'offer_price', round(o.offer_price, $2),
    'is_active', o.is_active"""

_OPTIONS = f"""(
    SELECT coalesce(json_agg(
        CASE WHEN i.type = 'service'
             THEN json_build_object({_OPTION}, 'duration', coalesce(o.duration, i.duration), 'values', {_OPTION_VALUES})
             ELSE json_build_object({_OPTION}, 'quantity', coalesce(o.quantity, 0), 'values', {_OPTION_VALUES})
        END ORDER BY o.sort_order, o.id), '[]')
    FROM item_options o WHERE o.tenant_id = i.tenant_id AND o.item_id = i.id)"""

_STAFF = """(
    SELECT coalesce(json_agg(json_build_object(
        'id', s.id, 'name', s.name, 'price', round(coalesce(ss.price, i.offer_price, i.price), $2),
        'duration', coalesce(ss.duration, i.duration)) ORDER BY s.name_search COLLATE "C", s.id), '[]')
    FROM staff_services ss JOIN staff s ON s.tenant_id = ss.tenant_id AND s.id = ss.staff_id AND s.active
    WHERE ss.tenant_id = i.tenant_id AND ss.item_id = i.id)"""

# $2 is the currency's number of decimals and $3 its code.
_ITEM = f"""
    'id', i.id, 'type', i.type, 'sku', i.sku, 'name', i.name, 'slug', i.slug, 'description', i.description,
    'html_description', i.html_description, 'status', i.status, 'price', round(i.price, $2),
    'offer_price', round(i.offer_price, $2), 'currency', $3::text, 'options', {_OPTIONS},
    'category', CASE WHEN c.id IS NOT NULL THEN json_build_object('id', c.id, 'name', c.name, 'status', c.status) END,
    'branch', {_BRANCH}, 'created_at', utc_text(i.created_at), 'updated_at', utc_text(i.updated_at)"""

_SERVICE = f"{_ITEM}, 'duration', i.duration"
_PRODUCT = f"{_ITEM}, 'cost', round(i.cost, $2), 'stock', i.stock"
_IN_LIST = f"CASE i.type WHEN 'service' THEN json_build_object({_SERVICE}) ELSE json_build_object({_PRODUCT}) END"
_IN_DETAIL = f"""CASE i.type WHEN 'service' THEN json_build_object({_SERVICE}, 'staff', {_STAFF})
                 ELSE json_build_object({_PRODUCT}) END"""

_SURROUNDINGS = """
    JOIN branches b ON b.tenant_id = i.tenant_id AND b.id = i.branch_id
    LEFT JOIN categories c ON c.tenant_id = i.tenant_id AND c.id = i.category_id"""


async def list_categories(conn: Connection, tenant_id: UUID, branch_id: UUID | None, wanted: PageRequest) -> Page:
    where = "tenant_id = $1 AND ($2::uuid IS NULL OR branch_id = $2)"
    total = await conn.fetchval(f"SELECT count(*) FROM categories WHERE {where}", tenant_id, branch_id)
    documents = await conn.fetchval(
        f"""
        SELECT coalesce(json_agg(json_build_object(
            'id', c.id, 'name', c.name, 'slug', c.slug, 'description', c.description, 'status', c.status,
            'sort_order', c.sort_order, 'branch', {_BRANCH}, 'created_at', utc_text(c.created_at),
            'updated_at', utc_text(c.updated_at)) ORDER BY c.sort_order, c.id), '[]')::text
        FROM (SELECT * FROM categories WHERE {where} ORDER BY sort_order, id OFFSET $3 LIMIT $4) c
        JOIN branches b ON b.tenant_id = c.tenant_id AND b.id = c.branch_id
        """,
        tenant_id,
        branch_id,
        wanted.offset,
        wanted.per_page,
    )
    return Page(documents, total)


async def exists_category(conn: Connection, tenant_id: UUID, category_id: UUID, branch_id: UUID | None = None) -> bool:
    """In that branch, where one is named."""
    found: bool = await conn.fetchval(
        """
        SELECT EXISTS (SELECT FROM categories WHERE tenant_id = $1 AND id = $2 AND branch_id = coalesce($3, branch_id))
        """,
        tenant_id,
        category_id,
        branch_id,
    )
    return found


async def list_items(conn: Connection, tenant: TenantContext, filter_: ItemFilter, wanted: PageRequest) -> Page:
    """In the order that the business gave its catalogue."""
    tenant_id = tenant.tenant_id
    where, values = _conditions(filter_, first=4)
    if values:
        count_where, _ = _conditions(filter_, first=2)
        total = await conn.fetchval(
            f"SELECT count(*) FROM items WHERE tenant_id = $1 {count_where}", tenant_id, *values
        )
    else:
        total = await get_row_count(conn, tenant_id, "items")
    span = choose_scan_direction(wanted, total)
    order = "sort_order DESC, id DESC" if span.backward else "sort_order, id"
    documents = await conn.fetchval(
        f"""
        WITH page AS (
            SELECT id FROM items WHERE tenant_id = $1 {where}
            ORDER BY {order} OFFSET ${len(values) + 4} LIMIT ${len(values) + 5}
        )
        SELECT coalesce(json_agg({_IN_LIST} ORDER BY i.sort_order, i.id), '[]')::text
        FROM page JOIN items i ON i.tenant_id = $1 AND i.id = page.id {_SURROUNDINGS}
        """,
        tenant_id,
        tenant.currency_decimals,
        tenant.currency,
        *values,
        span.skip,
        span.take,
    )
    return Page(documents, total)


_PACKAGE = f"""json_build_object(
    'id', p.id, 'name', p.name, 'branch', {_BRANCH}, 'price', round(p.price, $2),
    'offer_price', round(p.offer_price, $2), 'status', p.status, 'items', (
        SELECT coalesce(json_agg(json_build_object(
            'id', i.id, 'name', i.name, 'type', i.type, 'quantity', c.quantity) ORDER BY i.sort_order, i.id), '[]')
        FROM package_items c JOIN items i ON i.tenant_id = $1 AND i.id = c.item_id
        WHERE c.tenant_id = $1 AND c.package_id = p.id),
    'created_at', utc_text(p.created_at), 'updated_at', utc_text(p.updated_at))"""


async def list_packages(conn: Connection, tenant: TenantContext, wanted: PageRequest) -> Page:
    """Newest first."""
    total = await conn.fetchval("SELECT count(*) FROM packages WHERE tenant_id = $1", tenant.tenant_id)
    documents = await conn.fetchval(
        f"""
        SELECT coalesce(json_agg({_PACKAGE} ORDER BY p.created_at DESC, p.id DESC), '[]')::text
        FROM (SELECT * FROM packages WHERE tenant_id = $1 ORDER BY created_at DESC, id DESC OFFSET $3 LIMIT $4) p
        JOIN branches b ON b.tenant_id = $1 AND b.id = p.branch_id
        """,
        tenant.tenant_id,
        tenant.currency_decimals,
        wanted.offset,
        wanted.per_page,
    )
    return Page(documents, total)


async def get_package(conn: Connection, tenant: TenantContext, package_id: UUID) -> str:
    document: str | None = await conn.fetchval(
        f"""
        SELECT {_PACKAGE}::text FROM packages p JOIN branches b ON b.tenant_id = $1 AND b.id = p.branch_id
        WHERE p.tenant_id = $1 AND p.id = $3
        """,
        tenant.tenant_id,
        tenant.currency_decimals,
        package_id,
    )
    if document is None:
        raise not_found("package")
    return document


def _conditions(filter_: ItemFilter, first: int) -> tuple[str, list[object]]:
    tests: dict[str, object | None] = {
        "type = $?": filter_.type,
        "position($? IN name_search) > 0": filter_.name,
        "branch_id = $?": filter_.branch_id,
        "category_id = $?": filter_.category_id,
        "sku = $?": filter_.sku,
    }
    used = {test: value for test, value in tests.items() if value is not None}
    where = "".join(f" AND {test.replace('?', str(place))}" for place, test in enumerate(used, first))
    return where, list(used.values())


async def get_item(conn: Connection, tenant: TenantContext, item_id: UUID) -> str:
    document: str | None = await conn.fetchval(
        f"SELECT {_IN_DETAIL}::text FROM items i {_SURROUNDINGS} WHERE i.tenant_id = $1 AND i.id = $4",
        tenant.tenant_id,
        tenant.currency_decimals,
        tenant.currency,
        item_id,
    )
    if document is None:
        raise not_found("item")
    return document
