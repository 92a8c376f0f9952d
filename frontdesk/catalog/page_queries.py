"""Statements for the pages of the catalog. The database builds the JSON."""

from uuid import UUID

from frontdesk.catalog.page_types import (
    Catalogue,
    CatalogueFilter,
    Choices,
    EditedCategory,
    EditedItem,
    EditedPackage,
    Movements,
)
from frontdesk.postgres.query import Query, decoded, optional_decoded
from frontdesk.values.pagination import PageRequest

_OFFER = "offer_today({0}.offer_price, {0}.offer_from, {0}.offer_until, context.timezone)"
# Every row of the list, with what sorts and filters it. Packages come last.
_ROWS = f"""
    SELECT i.id, i.type AS kind, i.name, i.status, i.price, {_OFFER.format("i")} AS offer_price, i.picture_id,
           i.category_id, i.duration, i.stock, i.sort_order, c.sort_order AS category_order, i.sku, i.barcode,
           i.name_search, i.low_stock
    FROM items i LEFT JOIN categories c ON c.tenant_id = $1 AND c.id = i.category_id WHERE i.tenant_id = $1
    UNION ALL
    SELECT p.id, 'package', p.name, p.status, p.price, {_OFFER.format("p")}, p.picture_id, NULL, NULL, NULL, 0, NULL,
           p.sku, NULL, lower(p.name::text), NULL
    FROM packages p WHERE p.tenant_id = $1"""
_ORDER = "kind = 'package', category_order NULLS LAST, category_id, sort_order, id"


def list_catalogue(filter_: CatalogueFilter, page_request: PageRequest) -> Query[Catalogue]:
    return Query(
        f"""
        WITH all_rows AS MATERIALIZED ({_ROWS}), found AS MATERIALIZED (
            SELECT *, row_number() OVER (ORDER BY {_ORDER}) AS place FROM all_rows r WHERE r.kind = ANY($2)
                AND ($3::boolean IS NULL OR r.status = $3) AND ($6::uuid IS NULL OR r.category_id = $6)
                AND ($4 = '' OR position($4 IN r.name_search) > 0 OR lower($5) IN (lower(r.sku), lower(r.barcode)))
        ), page AS (SELECT * FROM found WHERE place > $7 AND place <= $7 + $8)
        SELECT json_build_object(
            'total', (SELECT count(*) FROM found),
            'counts', (SELECT coalesce(json_object_agg(k.kind, k.n), '{{}}')
                FROM (SELECT kind, count(*) AS n FROM all_rows GROUP BY kind) k),
            'off_sale', (SELECT count(*) FROM all_rows WHERE NOT status AND kind = ANY($2)),
            'staff', (SELECT count(*) FROM staff WHERE tenant_id = $1 AND active),
            'categories', (SELECT coalesce(json_agg(json_build_object(
                    'id', c.id, 'name', c.name, 'status', c.status, 'item_count', (
                        SELECT count(*) FROM all_rows r WHERE r.category_id = c.id)) ORDER BY c.sort_order, c.id), '[]')
                FROM categories c WHERE c.tenant_id = $1),
            'rows', (SELECT coalesce(json_agg(json_build_object(
                    'id', r.id, 'kind', r.kind, 'name', r.name, 'status', r.status, 'price', r.price::text,
                    'offer_price', r.offer_price::text, 'picture_id', r.picture_id, 'category_id', r.category_id,
                    'duration', r.duration, 'stock', r.stock,
                    'is_low', r.kind = 'product' AND (coalesce(r.stock <= r.low_stock, false) OR EXISTS (
                        SELECT FROM item_options o WHERE o.tenant_id = $1 AND o.item_id = r.id AND o.is_active
                        AND o.quantity <= o.low_stock)),
                    'performers', CASE WHEN r.kind = 'service' THEN (
                        SELECT count(*) FROM staff_services ss JOIN staff s ON s.tenant_id = $1 AND s.id = ss.staff_id
                        WHERE ss.tenant_id = $1 AND ss.item_id = r.id AND s.active) ELSE 0 END,
                    'parts', CASE WHEN r.kind = 'package' THEN (
                        SELECT count(*) FROM package_items p WHERE p.tenant_id = $1 AND p.package_id = r.id) ELSE 0 END)
                    ORDER BY r.place), '[]')
                FROM page r))::text AS document
        """,
        (
            list(filter_.kinds),
            filter_.is_active,
            filter_.search,
            filter_.code,
            filter_.category_id,
            page_request.offset,
            page_request.per_page,
        ),
        decoded(Catalogue),
    )


def find_edited_item(item_id: UUID) -> Query[EditedItem | None]:
    return Query(
        """
        SELECT (to_jsonb(i) || jsonb_build_object(
            'price', i.price::text, 'offer_price', i.offer_price::text, 'cost', i.cost::text,
            'options', (SELECT coalesce(jsonb_agg(to_jsonb(o) || jsonb_build_object(
                    'price', o.price::text, 'offer_price', o.offer_price::text) ORDER BY o.sort_order, o.id), '[]')
                FROM item_options o WHERE o.tenant_id = $1 AND o.item_id = i.id),
            'performers', (SELECT coalesce(jsonb_agg(jsonb_build_object(
                    'staff_id', ss.staff_id, 'price', ss.price::text, 'duration', ss.duration)), '[]')
                FROM staff_services ss WHERE ss.tenant_id = $1 AND ss.item_id = i.id)))::text AS document
        FROM items i WHERE i.tenant_id = $1 AND i.id = $2
        """,
        (item_id,),
        optional_decoded(EditedItem),
    )


def find_edited_package(package_id: UUID) -> Query[EditedPackage | None]:
    return Query(
        f"""
        SELECT (to_jsonb(p) || jsonb_build_object(
            'price', p.price::text, 'offer_price', p.offer_price::text,
            'charged', coalesce({_OFFER.format("p")}, p.price)::text,
            'contents', (SELECT coalesce(jsonb_agg(jsonb_build_object(
                    'item_id', c.item_id, 'name', i.name, 'quantity', c.quantity,
                    'price', coalesce({_OFFER.format("i")}, i.price)::text, 'duration', i.duration)
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
            'sold', (SELECT coalesce(-sum(change), 0) FROM stock_movements
                WHERE tenant_id = $1 AND item_id = $2 AND reason = 'sale' AND created_at > now() - interval '90 days'),
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
