"""Statements for the pages of the catalog. The database builds the JSON."""

from uuid import UUID

from frontdesk.attention.rules import (
    ITEM_WITHOUT_OPTION,
    PACKAGE_WITHOUT_STOCK,
    PRODUCT_WITHOUT_STOCK,
    SERVICE_WITHOUT_PROVIDER,
)
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
from frontdesk.tenants.price_queries import BASE_SELLABLE, CHARGED, OFFER, OFFER_OF_OPTION, TAX, TAX_OF, TAXES
from frontdesk.values.pagination import PageRequest

# $2 is the item or the package.
_SOLD = """(SELECT coalesce(sum(s.quantity), 0)::bigint FROM sales_by_item s
                WHERE s.tenant_id = $1 AND NOT s.is_month AND s.item_id = $2 AND s.day > current_date - 90)"""
# The parts of the list: by category, without one, packages. Each is read only as far as the page needs.
_SHOWN = """{0} = ANY($2) AND ($3::boolean IS NULL OR r.status = $3) AND ($6::uuid IS NULL OR {1} = $6)
        AND ($4 = '' OR position($4 IN {2}) > 0 OR lower($5) IN (lower(r.sku), lower({3})))"""
_ITEMS = f"""
        SELECT r.id, r.type AS kind, r.status, r.category_id, r.sort_order FROM items r WHERE r.tenant_id = $1
        AND {_SHOWN.format("r.type", "r.category_id", "r.name_search", "r.barcode")}"""
_PACKAGE_NAMES = "lower(jsonb_path_query_array({0}.name, '$.*')::text)"  # without the codes of their languages
_PACKAGES = f"""
        SELECT r.id, 'package', r.status, NULL::uuid, 0 FROM packages r WHERE r.tenant_id = $1
        AND {_SHOWN.format("'package'", "NULL", _PACKAGE_NAMES.format("r"), "NULL")}"""
_TAKE = "LIMIT $7::bigint + $8::bigint"
_PAGE = f"""
        SELECT * FROM (
            (SELECT 1 AS part, c.sort_order AS category_order, i.*
             FROM categories c, LATERAL ({_ITEMS} AND r.category_id = c.id ORDER BY r.sort_order, r.id {_TAKE}) i
             WHERE c.tenant_id = $1 ORDER BY c.sort_order, c.id, i.sort_order, i.id {_TAKE})
            UNION ALL
            (SELECT 2, NULL, i.* FROM ({_ITEMS} AND r.category_id IS NULL ORDER BY r.sort_order, r.id {_TAKE}) i)
            UNION ALL
            (SELECT 3, NULL, p.* FROM ({_PACKAGES} ORDER BY r.id {_TAKE}) p)) parts
        ORDER BY part, category_order, category_id, sort_order, id OFFSET $7 LIMIT $8"""
# An item is a service or a product: grouping by the category alone reads an index in its order.
_TALLIES = """
        SELECT kind, category_id, n, off FROM (
            SELECT category_id, count(*) AS items, count(*) FILTER (WHERE NOT status) AS items_off,
                   count(*) FILTER (WHERE type = 'product') AS products,
                   count(*) FILTER (WHERE NOT status AND type = 'product') AS products_off
            FROM items WHERE tenant_id = $1 GROUP BY category_id OFFSET 0) c,
            LATERAL (VALUES ('service', items - products, items_off - products_off),
                            ('product', products, products_off)) k (kind, n, off)
        UNION ALL
        SELECT 'package', NULL, count(*), count(*) FILTER (WHERE NOT status) FROM packages WHERE tenant_id = $1"""
# A search reads the names; otherwise the tallies say how many the whole list has.
_FOUND = f"SELECT (SELECT count(*) FROM ({_ITEMS}) i) + (SELECT count(*) FROM ({_PACKAGES}) p)"
_TALLIED = """SELECT coalesce(sum(CASE WHEN $3 THEN n - off WHEN NOT $3 THEN off ELSE n END), 0) FROM tallies
                WHERE kind = ANY($2) AND ($6::uuid IS NULL OR category_id = $6)"""
_ITEM_VALUES = f"""
    SELECT i.name, {CHARGED.format("i.price")} AS price, {CHARGED.format(OFFER.format("i"))} AS offer_price,
        ARRAY(SELECT {CHARGED.format(f"coalesce({OFFER_OF_OPTION.format('i', 'o')}, o.price)")}
            FROM item_options o WHERE o.tenant_id = $1 AND o.item_id = i.id AND o.is_active) AS option_prices,
        ARRAY(SELECT {CHARGED.format(f"coalesce(ss.price, {OFFER.format('i')}, i.price)")}
            FROM staff_services ss JOIN staff s ON s.tenant_id = $1 AND s.id = ss.staff_id
            WHERE ss.tenant_id = $1 AND ss.item_id = i.id AND s.active) AS provider_prices,
        {BASE_SELLABLE} AS base_sellable,
        ARRAY(SELECT o.duration FROM item_options o
            WHERE o.tenant_id = $1 AND o.item_id = i.id AND o.is_active) AS option_durations,
        ARRAY(SELECT ss.duration FROM staff_services ss JOIN staff s ON s.tenant_id = $1 AND s.id = ss.staff_id
            WHERE ss.tenant_id = $1 AND ss.item_id = i.id AND s.active) AS provider_durations,
        i.picture_id, i.duration, i.stock,
        i.type = 'product' AND (coalesce(i.stock <= i.low_stock, false) OR EXISTS (
            SELECT FROM item_options o WHERE o.tenant_id = $1 AND o.item_id = i.id AND o.is_active
            AND o.quantity <= o.low_stock)) AS is_low,
        0 AS contents, {SERVICE_WITHOUT_PROVIDER} OR {PRODUCT_WITHOUT_STOCK} AS is_broken,
        {ITEM_WITHOUT_OPTION} AS is_unsold
    FROM items i {TAX_OF.format("i", "taxes")} WHERE r.kind <> 'package' AND i.tenant_id = $1 AND i.id = r.id
    UNION ALL
    SELECT p.name, {CHARGED.format("p.price")}, {CHARGED.format(OFFER.format("p"))}, '{{}}', '{{}}', true,
        '{{}}', '{{}}', p.picture_id, NULL, NULL, false, (
        SELECT count(*) FROM package_items c WHERE c.tenant_id = $1 AND c.package_id = p.id),
        {PACKAGE_WITHOUT_STOCK}, false
    FROM packages p {TAX_OF.format("p", "taxes")} WHERE r.kind = 'package' AND p.tenant_id = $1 AND p.id = r.id"""


def list_catalogue(filter_: CatalogueFilter, page_request: PageRequest) -> Query[Catalogue]:
    return Query(
        f"""
        WITH taxes AS MATERIALIZED {TAXES}, tallies AS MATERIALIZED ({_TALLIES}), page AS MATERIALIZED ({_PAGE})
        SELECT json_build_object(
            'total', (SELECT CASE WHEN $4 <> '' OR $5 <> '' THEN ({_FOUND}) ELSE ({_TALLIED}) END),
            'counts', (SELECT coalesce(json_object_agg(k.kind, k.n), '{{}}')
                FROM (SELECT kind, sum(n) AS n FROM tallies GROUP BY kind) k),
            'off_sale', (SELECT coalesce(sum(off), 0) FROM tallies WHERE kind = ANY($2)),
            'staff', (SELECT count(*) FROM staff WHERE tenant_id = $1 AND active),
            'categories', (SELECT coalesce(json_agg(json_build_object(
                    'id', c.id, 'name', c.name, 'status', c.status, 'item_count', (
                        SELECT coalesce(sum(n), 0) FROM tallies t WHERE t.category_id = c.id))
                    ORDER BY c.sort_order, c.id), '[]')
                FROM categories c WHERE c.tenant_id = $1),
            'rows', (SELECT coalesce(json_agg(json_build_array(
                    r.id, r.kind, v.name, r.status, v.price::text, v.offer_price::text,
                    v.option_prices::text[], v.provider_prices::text[], v.base_sellable, v.picture_id,
                    r.category_id, v.duration, v.stock, v.is_low, cardinality(v.provider_prices), v.contents,
                    v.is_broken, v.is_unsold, v.option_durations, v.provider_durations)
                    ORDER BY r.part, r.category_order, r.category_id, r.sort_order, r.id), '[]')
                FROM page r, LATERAL ({_ITEM_VALUES} OFFSET 0) v))::text AS document
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


def item_conditions(filter_: CatalogueFilter) -> list[tuple[str, object]]:
    """The same filter on `items a`, for an export: SQL with `$?` for the value."""
    kinds = ("a.type = ANY ($?::text[])", list(filter_.kinds))
    category = ("a.category_id = $?", filter_.category_id)
    return [kinds, *_filled([category]), *_shown(filter_, "a.name_search", "a.sku", "a.barcode")]


def package_conditions(filter_: CatalogueFilter) -> list[tuple[str, object]]:
    """Packages have no category."""
    is_shown = ("$?::boolean", "package" in filter_.kinds and filter_.category_id is None)
    return [is_shown, *_shown(filter_, _PACKAGE_NAMES.format("a"), "a.sku", "NULL")]


def _shown(filter_: CatalogueFilter, names: str, *codes: str) -> list[tuple[str, object]]:
    same_code = f"lower(($?::text[])[2]) IN ({', '.join(f'lower({code})' for code in codes)})"
    searched = [filter_.search, filter_.code] if filter_.search else None
    return _filled(
        [
            ("a.status = $?", filter_.is_active),
            (f"(position(($?::text[])[1] IN {names}) > 0 OR {same_code})", searched),
        ]
    )


def _filled(tests: list[tuple[str, object]]) -> list[tuple[str, object]]:
    return [(test, value) for test, value in tests if value is not None]


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
