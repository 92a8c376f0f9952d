"""Statements for the forms of the catalog. The database builds the JSON."""

from uuid import UUID

from frontdesk.attention.rules import (
    ITEM_WITHOUT_OPTION,
    PACKAGE_WITHOUT_STOCK,
    PRODUCT_WITHOUT_STOCK,
    SERVICE_WITHOUT_PROVIDER,
)
from frontdesk.catalog.page_types import (
    Choices,
    EditedCategory,
    EditedItem,
    EditedPackage,
    Movements,
)
from frontdesk.postgres.query import Query, decoded, optional_decoded
from frontdesk.tenants.price_queries import OFFER, TAX
from frontdesk.values.pagination import PageRequest

# $2 is the item or the package.
_SOLD = """(SELECT coalesce(sum(s.quantity), 0)::bigint FROM sales_by_item s
                WHERE s.tenant_id = $1 AND NOT s.is_month AND s.item_id = $2 AND s.day > now()::date - 90)"""


def find_edited_item(item_id: UUID) -> Query[EditedItem | None]:
    return Query(
        f"""
        SELECT (to_jsonb(i) || jsonb_build_object(
            'sold', {_SOLD}, 'price', i.price::text, 'offer_price', i.offer_price::text, 'cost', i.cost::text,
            'tax_rate', coalesce(tax.rate, 0)::text, 'prices_include_tax', context.prices_include_tax,
            'is_broken', {SERVICE_WITHOUT_PROVIDER} OR {PRODUCT_WITHOUT_STOCK}, 'is_unsold', {ITEM_WITHOUT_OPTION},
            'options', (SELECT coalesce(jsonb_agg(to_jsonb(o) || jsonb_build_object(
                    'price', o.price::text, 'offer_price', o.offer_price::text) ORDER BY o.sort_order, o.id), '[]')
                FROM item_options o WHERE o.tenant_id = $1 AND o.item_id = i.id),
            'performers', (SELECT coalesce(jsonb_agg(jsonb_build_object(
                    'staff_id', ss.staff_id, 'price', ss.price::text, 'duration', ss.duration)), '[]')
                FROM staff_services ss WHERE ss.tenant_id = $1 AND ss.item_id = i.id)))::text AS document
        FROM items i {TAX.format("i")} WHERE i.tenant_id = $1 AND i.id = $2
        """,
        (item_id,),
        optional_decoded(EditedItem),
    )


def find_edited_package(package_id: UUID) -> Query[EditedPackage | None]:
    return Query(
        f"""
        SELECT (to_jsonb(p) || jsonb_build_object(
            'sold', {_SOLD}, 'price', p.price::text, 'offer_price', p.offer_price::text,
            'is_broken', {PACKAGE_WITHOUT_STOCK},
            'charged', coalesce({OFFER.format("p")}, p.price)::text,
            'contents', (SELECT coalesce(jsonb_agg(jsonb_build_object(
                    'item_id', c.item_id, 'name', i.name, 'quantity', c.quantity,
                    'price', coalesce({OFFER.format("i")}, i.price)::text, 'duration', i.duration,
                    'buffers', i.buffer_before + i.buffer_after,
                    'performers', (SELECT coalesce(jsonb_agg(s.name ORDER BY s.sort_order, s.id), '[]')
                        FROM staff_services v JOIN staff s ON s.tenant_id = $1 AND s.id = v.staff_id AND s.active
                        WHERE v.tenant_id = $1 AND v.item_id = i.id))
                    ORDER BY c.sort_order, i.sort_order, i.id), '[]')
                FROM package_items c JOIN items i ON i.tenant_id = $1 AND i.id = c.item_id
                WHERE c.tenant_id = $1 AND c.package_id = p.id)))::text AS document
        FROM packages p WHERE p.tenant_id = $1 AND p.id = $2
        """,
        (package_id,),
        optional_decoded(EditedPackage),
    )


def find_edited_category(category_id: UUID) -> Query[EditedCategory | None]:
    return Query(
        """
        SELECT (to_jsonb(c) || jsonb_build_object('item_count', (
            SELECT count(*) FROM items i WHERE i.tenant_id = $1 AND i.category_id = c.id)))::text AS document
        FROM categories c WHERE c.tenant_id = $1 AND c.id = $2
        """,
        (category_id,),
        optional_decoded(EditedCategory),
    )


def catalogue_choices(*, with_items: bool = False) -> Query[Choices]:
    """In the order of the pages; `with_items` for the form of a package."""
    items = """(SELECT coalesce(json_agg(json_build_object('id', i.id, 'name', i.name, 'branch_id', i.branch_id)
            ORDER BY i.sort_order, i.id), '[]') FROM items i WHERE i.tenant_id = $1)"""
    return Query(
        f"""
        SELECT json_build_object(
            'branches', (SELECT coalesce(json_agg(json_build_object(
                    'id', b.id, 'name', json_build_object('en', b.name)) ORDER BY b.created_at, b.id), '[]')
                FROM branches b WHERE b.tenant_id = $1),
            'categories', (SELECT coalesce(json_agg(json_build_object(
                    'id', c.id, 'name', c.name, 'branch_id', c.branch_id) ORDER BY c.sort_order, c.id), '[]')
                FROM categories c WHERE c.tenant_id = $1),
            'tax_classes', (SELECT coalesce(json_agg(json_build_object(
                    'id', t.id, 'name', t.name) ORDER BY t.is_default DESC, t.created_at, t.id), '[]')
                FROM tax_classes t WHERE t.tenant_id = $1),
            'staff', (SELECT coalesce(json_agg(json_build_object(
                    'id', s.id, 'name', json_build_object('en', s.name), 'branch_id', s.branch_id)
                    ORDER BY s.name_search COLLATE "C", s.id), '[]')
                FROM staff s WHERE s.tenant_id = $1 AND s.active),
            'booking_page', (SELECT s.slug FROM tenant_slugs s WHERE s.tenant_id = $1 AND s.is_current AND NOT EXISTS (
                SELECT FROM booking_page_settings b WHERE b.tenant_id = $1 AND NOT b.shown)),
            'prices_include_tax', context.prices_include_tax,
            'items', {items if with_items else "'[]'::json"})::text AS document
        """,
        (),
        decoded(Choices),
    )


def list_movements(item_id: UUID, page_request: PageRequest) -> Query[Movements]:
    return Query(
        """
        SELECT json_build_object(
            'total', (SELECT count(*) FROM stock_movements WHERE tenant_id = $1 AND item_id = $2),
            'pace', (SELECT coalesce(json_object_agg(coalesce(p.option_id::text, ''), p.sold), '{}') FROM (
                SELECT option_id, -sum(change) AS sold FROM stock_movements
                WHERE tenant_id = $1 AND item_id = $2 AND reason IN ('sale', 'return')
                    AND created_at > now() - interval '30 days'
                GROUP BY option_id) p),
            'rows', (SELECT coalesce(json_agg(json_build_object(
                    'created_at', m.created_at, 'reason', m.reason, 'change', m.change, 'quantity', m.quantity,
                    'note', m.note, 'option', o.name, 'order_id', m.order_id, 'order_number', r.order_number,
                    'actor', coalesce(u.name, a.name, k.name)) ORDER BY m.id DESC), '[]')
                FROM (SELECT * FROM stock_movements WHERE tenant_id = $1 AND item_id = $2
                      ORDER BY id DESC OFFSET $3 LIMIT $4) m
                LEFT JOIN item_options o ON o.tenant_id = $1 AND o.id = m.option_id
                LEFT JOIN orders r ON r.tenant_id = $1 AND r.id = m.order_id
                LEFT JOIN users u ON u.id = m.actor_id
                LEFT JOIN api_clients a ON a.tenant_id = $1 AND a.id = m.actor_id
                LEFT JOIN api_keys k ON k.tenant_id = $1 AND k.id = m.actor_id))::text AS document
        """,
        (item_id, page_request.offset, page_request.per_page),
        decoded(Movements),
    )
