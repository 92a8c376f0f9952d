"""The statement of the list of the catalogue. The database builds the JSON."""

from frontdesk.attention.rules import ITEM_WITHOUT, PACKAGE_WITHOUT_STOCK, PRODUCT_WITHOUT_STOCK, SERVICE_WITHOUT
from frontdesk.catalog.page_types import Catalogue, CatalogueFilter
from frontdesk.postgres.query import Query, decoded
from frontdesk.tenants.price_queries import CHARGED, CHARGED_AT, OFFER, OFFER_OF_OPTION, TAX_OF, TAXES
from frontdesk.values.pagination import PageRequest

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
# The items of the page, with the columns that the rules of attention/rules.py read.
_LISTED = f"""
        SELECT r.*, i.type, i.name, i.branch_id, i.price, {OFFER.format("i")} AS offer, i.offer_from, i.offer_until,
            i.base_sellable, i.picture_id, i.duration, i.stock, i.low_stock, tax.rate
        FROM page r JOIN items i ON i.tenant_id = $1 AND i.id = r.id {TAX_OF.format("i", "taxes")}
        WHERE r.kind <> 'package'"""
# Their options and providers: read once for all of them, which takes less than subqueries of each row.
_OF_PAGE = "item_id = ANY (ARRAY(SELECT l.id FROM listed l))"
_OPTIONS = f"""
        SELECT o.item_id, bool_or(o.is_active) AS is_sold,
            bool_or(o.is_active AND coalesce(o.quantity <= o.low_stock, false)) AS is_low,
            array_agg({CHARGED_AT.format(f"coalesce({OFFER_OF_OPTION.format('i', 'o')}, o.price)", "i.rate")}::text)
                FILTER (WHERE o.is_active) AS prices,
            array_agg(o.duration) FILTER (WHERE o.is_active) AS durations
        FROM item_options o JOIN listed i ON i.id = o.item_id
        WHERE o.tenant_id = $1 AND o.{_OF_PAGE} GROUP BY o.item_id"""
_PROVIDERS = f"""
        SELECT v.item_id, bool_or(s.branch_id = i.branch_id) AS is_in_branch,
            array_agg({CHARGED_AT.format("coalesce(v.price, i.offer, i.price)", "i.rate")}::text) AS prices,
            array_agg(v.duration) AS durations
        FROM staff_services v JOIN staff s ON s.tenant_id = $1 AND s.id = v.staff_id AND s.active
        JOIN listed i ON i.id = v.item_id
        WHERE v.tenant_id = $1 AND v.{_OF_PAGE} GROUP BY v.item_id"""
_ROWS = f"""
        SELECT i.part, i.category_order, i.category_id, i.sort_order, i.id, i.kind, i.status, i.name,
            {CHARGED_AT.format("i.price", "i.rate")} AS price, {CHARGED_AT.format("i.offer", "i.rate")} AS offer_price,
            o.prices AS option_prices, p.prices AS provider_prices,
            i.base_sellable OR o.item_id IS NULL AS base_sellable, i.picture_id, i.duration, i.stock,
            i.type = 'product' AND (coalesce(i.stock <= i.low_stock, false) OR coalesce(o.is_low, false)) AS is_low,
            0 AS contents,
            {SERVICE_WITHOUT.format("coalesce(p.is_in_branch, false)")} OR {PRODUCT_WITHOUT_STOCK} AS is_broken,
            {ITEM_WITHOUT.format("o.item_id IS NOT NULL", "coalesce(o.is_sold, false)")} AS is_unsold,
            o.durations AS option_durations, p.durations AS provider_durations
        FROM listed i LEFT JOIN options o ON o.item_id = i.id LEFT JOIN providers p ON p.item_id = i.id
        UNION ALL
        SELECT r.part, r.category_order, r.category_id, r.sort_order, r.id, r.kind, r.status, p.name,
            {CHARGED.format("p.price")}, {CHARGED.format(OFFER.format("p"))}, NULL, NULL, true, p.picture_id,
            NULL, NULL, false, (SELECT count(*) FROM package_items c WHERE c.tenant_id = $1 AND c.package_id = p.id),
            {PACKAGE_WITHOUT_STOCK}, false, NULL, NULL
        FROM page r JOIN packages p ON p.tenant_id = $1 AND p.id = r.id {TAX_OF.format("p", "taxes")}
        WHERE r.kind = 'package'"""


def list_catalogue(filter_: CatalogueFilter, page_request: PageRequest) -> Query[Catalogue]:
    return Query(
        f"""
        WITH taxes AS MATERIALIZED {TAXES}, tallies AS MATERIALIZED ({_TALLIES}), page AS MATERIALIZED ({_PAGE}),
        listed AS MATERIALIZED ({_LISTED}), options AS MATERIALIZED ({_OPTIONS}),
        providers AS MATERIALIZED ({_PROVIDERS})
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
                    r.id, r.kind, r.category_id, json_build_array(
                        r.id, r.kind, r.name, r.status, r.price::text, r.offer_price::text,
                        coalesce(r.option_prices, '{{}}'), coalesce(r.provider_prices, '{{}}'), r.base_sellable,
                        r.picture_id, r.duration, r.stock, r.is_low, coalesce(cardinality(r.provider_prices), 0),
                        r.contents, r.is_broken, r.is_unsold, coalesce(r.option_durations, '{{}}'),
                        coalesce(r.provider_durations, '{{}}')))
                    ORDER BY r.part, r.category_order, r.category_id, r.sort_order, r.id), '[]')
                FROM ({_ROWS}) r))::text AS document
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
