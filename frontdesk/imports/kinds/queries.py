"""Finds the records that the rows of a table match."""

from collections.abc import Sequence
from uuid import UUID

import msgspec
from asyncpg import Record

from frontdesk.imports.kinds.kind import CatalogCodes, Vocabulary, values_of
from frontdesk.imports.types import Existing, Key, ParsedRow
from frontdesk.imports.week import shown_week
from frontdesk.postgres.pool import Connection
from frontdesk.values.text import fold, search_key

# In the tenant's first language, else in any.
_NAME = "coalesce({0}.name ->> t.languages[1], (SELECT min(value) FROM jsonb_each_text({0}.name)))"


async def find_customers(conn: Connection, tenant_id: UUID, rows: Sequence[ParsedRow]) -> list[Existing]:
    found = await conn.fetch(
        """
        SELECT c.id, c.updated_at, c.phone_digits, lower(c.email) AS email, jsonb_build_object(
            'first_name', c.first_name, 'last_name', c.last_name, 'name_search', c.name_search, 'email', c.email,
            'phone', c.phone, 'phone_country', c.phone_country, 'type', c.type, 'city', c.city, 'address', c.address,
            'note', c.note, 'tax_registration_number', c.tax_registration_number, 'birthday', c.birthday,
            'allergies', c.allergies, 'favorite_staff_id', c.favorite_staff_id, 'favorite_provider', (
                SELECT s.name FROM staff s WHERE s.tenant_id = $1 AND s.id = c.favorite_staff_id), 'tags', (
                SELECT coalesce(jsonb_object_agg(t.id, t.name), '{}') FROM customer_tags ct
                JOIN tags t ON t.tenant_id = $1 AND t.id = ct.tag_id
                WHERE ct.tenant_id = $1 AND ct.customer_id = c.id)) AS values
        FROM (SELECT id FROM customers WHERE tenant_id = $1 AND phone_digits = ANY ($2::text[])
              UNION SELECT id FROM customers WHERE tenant_id = $1 AND lower(email) = ANY ($3::text[])) k
        JOIN customers c ON c.tenant_id = $1 AND c.id = k.id
        """,
        tenant_id,
        values_of(rows, "phone"),
        values_of(rows, "email"),
    )
    return [_existing(row, ("phone", row["phone_digits"]), ("email", row["email"])) for row in found]


async def find_items(conn: Connection, tenant_id: UUID, rows: Sequence[ParsedRow]) -> list[Existing]:
    """A catalog is small, so its names are compared here: the database does not fold them."""
    found = await conn.fetch(
        f"""
        SELECT i.id, i.updated_at, i.sku, i.type, i.name, jsonb_build_object(
            'type', i.type, 'sku', i.sku, 'name', i.name, 'name_search', i.name_search, 'description', i.description,
            'status', i.status, 'price', trim_scale(i.price)::text, 'offer_price', trim_scale(i.offer_price)::text,
            'duration', i.duration, 'cost', trim_scale(i.cost)::text, 'category_id', i.category_id,
            'barcode', i.barcode, 'buffer_before', i.buffer_before, 'buffer_after', i.buffer_after,
            'low_stock', i.low_stock, 'base_sellable', i.base_sellable,
            'options', (SELECT coalesce(jsonb_agg(jsonb_build_object(
                    'id', o.id, 'name', o.name, 'sku', o.sku, 'barcode', o.barcode, 'price', trim_scale(o.price)::text,
                    'offer_price', trim_scale(o.offer_price)::text, 'is_active', o.is_active, 'duration', o.duration,
                    'quantity', o.quantity, 'low_stock', o.low_stock) ORDER BY o.sort_order, o.id), '[]')
                FROM item_options o WHERE o.tenant_id = $1 AND o.item_id = i.id),
            'tax_class_id', i.tax_class_id, 'tax_class', {_NAME.format("x")}, 'category', {_NAME.format("c")}) AS values
        FROM items i JOIN tenants t ON t.id = $1 LEFT JOIN categories c ON c.tenant_id = $1 AND c.id = i.category_id
        LEFT JOIN tax_classes x ON x.tenant_id = $1 AND x.id = i.tax_class_id
        WHERE i.tenant_id = $1 AND ($2 OR i.sku = ANY ($3::text[]))
        """,
        tenant_id,
        bool(values_of(rows, "name")),
        values_of(rows, "sku"),
    )
    return [
        _existing(row, ("sku", row["sku"]), *(("name", f"{row['type']} {name}") for name in _folded(row["name"])))
        for row in found
    ]


async def find_stock(conn: Connection, tenant_id: UUID, rows: Sequence[ParsedRow]) -> list[Existing]:
    found = await conn.fetch(
        """
        SELECT i.id, i.updated_at, i.sku, i.name, jsonb_build_object('stock', i.stock, 'has_option_stock', EXISTS (
            SELECT FROM item_options o
            WHERE o.tenant_id = $1 AND o.item_id = i.id AND o.quantity IS NOT NULL)) AS values
        FROM items i
        WHERE i.tenant_id = $1 AND i.type = 'product' AND ($2 OR i.sku = ANY ($3::text[]))
        """,
        tenant_id,
        bool(values_of(rows, "name")),
        values_of(rows, "sku"),
    )
    return [_existing(row, ("sku", row["sku"]), *(("name", name) for name in _folded(row["name"]))) for row in found]


async def find_staff(conn: Connection, tenant_id: UUID, rows: Sequence[ParsedRow]) -> list[Existing]:
    found = await conn.fetch(
        f"""
        SELECT s.id, s.updated_at, regexp_replace(s.phone, '[^0-9]', '', 'g') AS digits, lower(s.email) AS email,
            s.name_search, jsonb_build_object('name', s.name, 'name_search', s.name_search, 'phone', s.phone,
                'phone_country', s.phone_country, 'email', s.email, 'active', s.active, 'branch_id', s.branch_id,
                'hours', staff_hours($1, s.id),
                'services', (SELECT coalesce(jsonb_object_agg(i.id, {_NAME.format("i")}), '{{}}')
                    FROM staff_services v JOIN items i ON i.tenant_id = $1 AND i.id = v.item_id
                    WHERE v.tenant_id = $1 AND v.staff_id = s.id)) AS values,
            has_coming_bookings($1, s.id) AS is_booked
        FROM staff s JOIN tenants t ON t.id = $1
        WHERE s.tenant_id = $1 AND (regexp_replace(s.phone, '[^0-9]', '', 'g') = ANY ($2::text[])
            OR lower(s.email) = ANY ($3::text[]) OR s.name_search = ANY ($4::text[]))
        """,
        tenant_id,
        values_of(rows, "phone"),
        values_of(rows, "email"),
        values_of(rows, "name"),
    )
    return [
        _with_week(
            _existing(row, ("phone", row["digits"]), ("email", row["email"]), ("name", row["name_search"])),
            is_booked=row["is_booked"],
        )
        for row in found
    ]


async def read_vocabulary(conn: Connection, tenant_id: UUID, words: str | None) -> Vocabulary:
    """The tags or categories of the tenant, by each of their names."""
    if words == "tags":
        found = await conn.fetch(
            "SELECT id, name, name_folded FROM tags WHERE tenant_id = $1 AND model = 'customers'", tenant_id
        )
        return Vocabulary({row["name_folded"]: (row["id"], row["name"]) for row in found})
    if words == "categories":
        found = await conn.fetch("SELECT id, name FROM categories WHERE tenant_id = $1", tenant_id)
        names = [(row["id"], name) for row in found for name in msgspec.json.decode(row["name"]).values()]
        return Vocabulary({search_key(name): (id_, name) for id_, name in names})
    return Vocabulary({})


async def read_catalog_codes(conn: Connection, tenant_id: UUID) -> CatalogCodes:
    """A catalog is small, so all of them are read once."""
    classes = await conn.fetch(
        f"""
        SELECT x.id, x.name, {_NAME.format("x")} AS shown
        FROM tax_classes x JOIN tenants t ON t.id = $1 WHERE x.tenant_id = $1
        """,
        tenant_id,
    )
    barcodes = await conn.fetch(
        """
        SELECT barcode, id AS item_id FROM items WHERE tenant_id = $1 AND barcode IS NOT NULL
        UNION ALL SELECT barcode, NULL FROM item_options WHERE tenant_id = $1 AND barcode IS NOT NULL
        """,
        tenant_id,
    )
    return CatalogCodes(
        tax_classes={name: (str(row["id"]), row["shown"]) for row in classes for name in _folded(row["name"])},
        barcodes={row["barcode"]: row["item_id"] for row in barcodes},
    )


async def read_services(conn: Connection, tenant_id: UUID) -> CatalogCodes:
    rows = await conn.fetch(
        f"""
        SELECT i.id, i.branch_id, i.name, {_NAME.format("i")} AS shown
        FROM items i JOIN tenants t ON t.id = $1 WHERE i.tenant_id = $1 AND i.type = 'service' ORDER BY i.status, i.id
        """,
        tenant_id,
    )
    return CatalogCodes(
        services={
            (str(row["branch_id"]), name): (str(row["id"]), row["shown"])
            for row in rows
            for name in _folded(row["name"])
        }
    )


async def read_providers(conn: Connection, tenant_id: UUID) -> CatalogCodes:
    found: dict[str, list[tuple[str, str]]] = {}
    for row in await conn.fetch("SELECT id, name FROM staff WHERE tenant_id = $1 AND active ORDER BY id", tenant_id):
        found.setdefault(fold(row["name"]), []).append((str(row["id"]), row["name"]))
    return CatalogCodes(providers=found)


async def list_item_slugs(conn: Connection, tenant_id: UUID) -> set[str]:
    rows = await conn.fetch(
        "SELECT slug FROM items WHERE tenant_id = $1 UNION ALL SELECT slug FROM categories WHERE tenant_id = $1",
        tenant_id,
    )
    return {row["slug"] for row in rows}


def _existing(row: Record, *keys: tuple[str, str | None]) -> Existing:
    known = tuple(dict.fromkeys(Key(kind, value) for kind, value in keys if value))
    return Existing(row["id"], row["updated_at"], msgspec.json.decode(row["values"]), known)


def _with_week(staff: Existing, *, is_booked: bool) -> Existing:
    return staff._replace(values={**staff.values, **shown_week(staff.values["hours"])}, is_booked=is_booked)


def _folded(name: str) -> list[str]:
    return [search_key(text) for text in msgspec.json.decode(name).values()]
