"""What the acts on the catalog read before they write."""

from collections.abc import Collection, Mapping
from decimal import Decimal
from uuid import UUID

import msgspec

from frontdesk.catalog.changes import CategoryEntry, ItemEntry, PackageEntry
from frontdesk.postgres.query import Lock, Query, decoded, found, found_decoded


class UsedOption(msgspec.Struct, frozen=True):
    id: UUID
    name: str


class ItemToSave(msgspec.Struct, frozen=True):
    """`version` and `type` are None for an item that does not exist. `codes` are used by the named records."""

    version: int | None
    type: str | None
    branches: list[UUID]
    categories: Mapping[UUID, UUID]  # with their branch
    tax_classes: list[UUID]
    staff: list[UUID]
    codes: Mapping[str, str]
    used_options: list[UsedOption]  # of those that would be deleted
    has_foreign_options: bool  # some of the given ones are options of another item


class ItemToChange(msgspec.Struct, frozen=True):
    entry: ItemEntry  # as it is; the stock is not in it
    stock: int | None  # None: it is not counted
    rules: ItemToSave


class PackageToSave(msgspec.Struct, frozen=True):
    version: int | None
    branches: list[UUID]
    tax_classes: list[UUID]
    codes: Mapping[str, str]
    items: Mapping[UUID, UUID]  # of the contents, with their branch
    prices: Mapping[UUID, Decimal]  # of the contents, with the offers of today


class PackageToChange(msgspec.Struct, frozen=True):
    entry: PackageEntry
    rules: PackageToSave


class NamedCategory(msgspec.Struct, frozen=True):
    id: UUID
    branch_id: UUID
    name: Mapping[str, str]


class CategoryToChange(msgspec.Struct, frozen=True):
    version: int | None
    branches: list[UUID]
    item_count: int
    others: list[NamedCategory]
    entry: CategoryEntry | None  # None for one that does not exist


class Use(msgspec.Struct, frozen=True):
    """Whether something can be deleted; `version` is None for what does not exist."""

    version: int | None
    name: Mapping[str, str]
    has_orders: bool
    packages: list[Mapping[str, str]]  # that contain it


class StockToMove(msgspec.Struct, frozen=True):
    """The stock of a product and of those of its options that are counted; None if it is not counted."""

    stock: int | None
    options: Mapping[UUID, int]


_BRANCHES = "'branches', (SELECT coalesce(json_agg(id), '[]') FROM branches WHERE tenant_id = $1)"
_TAX_CLASSES = "'tax_classes', (SELECT coalesce(json_agg(id), '[]') FROM tax_classes WHERE tenant_id = $1)"
# $2 is the record that is edited, $3 its codes.
_CODES = """'codes', (SELECT coalesce(json_object_agg(used.code, used.name), '{}') FROM (
        SELECT unnest(ARRAY[sku, barcode]) AS code, localized(name) AS name
        FROM items WHERE tenant_id = $1 AND id <> $2 AND (sku = ANY($3) OR barcode = ANY($3))
        UNION ALL
        SELECT unnest(ARRAY[o.sku, o.barcode]), localized(i.name) || ', ' || localized(o.name)
        FROM item_options o JOIN items i ON i.tenant_id = $1 AND i.id = o.item_id
        WHERE o.tenant_id = $1 AND o.item_id <> $2 AND (o.sku = ANY($3) OR o.barcode = ANY($3))
        UNION ALL
        SELECT sku, localized(name) FROM packages WHERE tenant_id = $1 AND id <> $2 AND sku = ANY($3)
    ) used WHERE used.code = ANY($3))"""


# $4 are the options that the item shall have.
_ITEM_RULES = f"""json_build_object(
        'version', (SELECT version FROM items WHERE tenant_id = $1 AND id = $2),
        'type', (SELECT type FROM items WHERE tenant_id = $1 AND id = $2), {_BRANCHES}, {_TAX_CLASSES}, {_CODES},
        'categories', (SELECT coalesce(json_object_agg(id, branch_id), '{{}}') FROM categories WHERE tenant_id = $1),
        'staff', (SELECT coalesce(json_agg(id), '[]') FROM staff WHERE tenant_id = $1),
        'used_options', (SELECT coalesce(json_agg(json_build_object('id', o.id, 'name', localized(o.name))), '[]')
            FROM item_options o WHERE o.tenant_id = $1 AND o.item_id = $2 AND o.id <> ALL($4) AND (
                o.quantity > 0
                OR EXISTS (SELECT FROM order_lines l WHERE l.tenant_id = $1 AND o.id = ANY(l.option_ids))
                OR EXISTS (SELECT FROM order_line_stock s WHERE s.tenant_id = $1 AND s.option_id = o.id))),
        'has_foreign_options', EXISTS (
            SELECT FROM item_options WHERE tenant_id = $1 AND item_id <> $2 AND id = ANY($4)))"""
_PRICE_ENTRY = """'price', json_build_object('price', {0}.price, 'offer_price', {0}.offer_price,
            'offer_from', {0}.offer_from, 'offer_until', {0}.offer_until)"""
_ITEM_ENTRY = f"""json_build_object(
        'id', i.id, 'version', i.version, 'type', i.type, 'branch_id', i.branch_id, 'name', i.name,
        'description', coalesce(i.description, '{{}}'), {_PRICE_ENTRY.format("i")}, 'category_id', i.category_id,
        'tax_class_id', i.tax_class_id, 'sku', i.sku, 'barcode', i.barcode, 'status', i.status,
        'picture_id', i.picture_id, 'duration', i.duration, 'buffer_before', i.buffer_before,
        'buffer_after', i.buffer_after, 'cost', i.cost, 'supplier', i.supplier, 'low_stock', i.low_stock,
        'base_sellable', i.base_sellable,
        'options', (SELECT coalesce(json_agg(json_build_object('id', o.id, 'name', o.name, 'price', o.price,
                'offer_price', o.offer_price, 'duration', o.duration, 'sku', o.sku, 'barcode', o.barcode,
                'quantity', o.quantity, 'low_stock', o.low_stock, 'is_active', o.is_active)
                ORDER BY o.sort_order, o.id), '[]')
            FROM item_options o WHERE o.tenant_id = $1 AND o.item_id = i.id),
        'performers', (SELECT coalesce(json_agg(json_build_object('staff_id', ss.staff_id, 'performs', true,
                'price', ss.price, 'duration', ss.duration, 'performed', true) ORDER BY ss.staff_id), '[]')
            FROM staff_services ss WHERE ss.tenant_id = $1 AND ss.item_id = i.id))"""


def item_to_save(entry: ItemEntry) -> Query[ItemToSave]:
    codes = [entry.sku, entry.barcode, *(code for option in entry.options for code in (option.sku, option.barcode))]
    return Query(
        f"SELECT ({_ITEM_RULES})::text AS document",
        (entry.id, [code for code in codes if code], [option.id for option in entry.options]),
        decoded(ItemToSave),
    )


def item_to_change(item_id: UUID, codes: Collection[str]) -> Query[ItemToChange]:
    """`codes` are those that it gets."""
    return Query(
        f"""
        SELECT json_build_object('entry', {_ITEM_ENTRY}, 'stock', i.stock, 'rules', {_ITEM_RULES})::text AS document
        FROM items i WHERE i.tenant_id = $1 AND i.id = $2
        """,
        (item_id, list(codes), []),
        found_decoded("item", ItemToChange),
    )


_OF_OPTION = "(SELECT z.item_id FROM item_options z WHERE z.tenant_id = $1 AND z.id = $2)"
_RULES_OF_OPTION = _ITEM_RULES.replace("$2", _OF_OPTION)


def item_of_option_to_change(option_id: UUID, codes: Collection[str]) -> Query[ItemToChange]:
    """The item that has the option."""
    return Query(
        f"""
        SELECT json_build_object('entry', {_ITEM_ENTRY}, 'stock', i.stock,
            'rules', {_RULES_OF_OPTION})::text AS document
        FROM items i WHERE i.tenant_id = $1 AND i.id = {_OF_OPTION}
        """,
        (option_id, list(codes), []),
        found_decoded("option", ItemToChange),
    )


def lock_item_of_option(option_id: UUID) -> Lock:
    sql = f"SELECT FROM items i WHERE i.tenant_id = $1 AND i.id = {_OF_OPTION} FOR NO KEY UPDATE"
    return Lock(sql, (option_id,))


# The contents are those that the package shall have, $4, and those that it has.
_PACKAGE_RULES = f"""json_build_object(
        'version', (SELECT version FROM packages WHERE tenant_id = $1 AND id = $2),
        {_BRANCHES}, {_TAX_CLASSES}, {_CODES},
        'items', (SELECT coalesce(json_object_agg(id, branch_id), '{{}}') FROM items
            WHERE tenant_id = $1 AND (id = ANY($4) OR id IN (
                SELECT item_id FROM package_items WHERE tenant_id = $1 AND package_id = $2))),
        'prices', (SELECT coalesce(json_object_agg(i.id, coalesce(
                offer_today(i.offer_price, i.offer_from, i.offer_until, context.timezone), i.price)::text), '{{}}')
            FROM items i WHERE i.tenant_id = $1 AND (i.id = ANY($4) OR i.id IN (
                SELECT item_id FROM package_items WHERE tenant_id = $1 AND package_id = $2))))"""
_PACKAGE_ENTRY = f"""json_build_object(
        'id', p.id, 'version', p.version, 'branch_id', p.branch_id, 'name', p.name,
        'description', coalesce(p.description, '{{}}'), {_PRICE_ENTRY.format("p")}, 'tax_class_id', p.tax_class_id,
        'sku', p.sku, 'status', p.status, 'picture_id', p.picture_id,
        'contents', (SELECT coalesce(json_agg(json_build_object('item_id', c.item_id, 'quantity', c.quantity)
                ORDER BY c.sort_order, c.item_id), '[]')
            FROM package_items c WHERE c.tenant_id = $1 AND c.package_id = p.id))"""


def package_to_save(entry: PackageEntry) -> Query[PackageToSave]:
    return Query(
        f"SELECT ({_PACKAGE_RULES})::text AS document",
        (entry.id, [entry.sku] if entry.sku else [], [part.item_id for part in entry.contents]),
        decoded(PackageToSave),
    )


def package_to_change(package_id: UUID, codes: Collection[str], items: Collection[UUID]) -> Query[PackageToChange]:
    """`codes` and `items` are those that it gets."""
    return Query(
        f"""
        SELECT json_build_object('entry', {_PACKAGE_ENTRY}, 'rules', {_PACKAGE_RULES})::text AS document
        FROM packages p WHERE p.tenant_id = $1 AND p.id = $2
        """,
        (package_id, list(codes), list(items)),
        found_decoded("package", PackageToChange),
    )


def category_to_change(category_id: UUID) -> Query[CategoryToChange]:
    return Query(
        f"""
        SELECT json_build_object(
            'version', (SELECT version FROM categories WHERE tenant_id = $1 AND id = $2), {_BRANCHES},
            'item_count', (SELECT count(*) FROM items WHERE tenant_id = $1 AND category_id = $2),
            'others', (SELECT coalesce(json_agg(
                    json_build_object('id', id, 'branch_id', branch_id, 'name', name)), '[]')
                FROM categories WHERE tenant_id = $1 AND id <> $2),
            'entry', (SELECT json_build_object('id', id, 'version', version, 'branch_id', branch_id, 'name', name,
                    'description', coalesce(description, '{{}}'), 'status', status)
                FROM categories WHERE tenant_id = $1 AND id = $2))::text AS document
        """,
        (category_id,),
        decoded(CategoryToChange),
    )


def item_in_use(item_id: UUID) -> Query[Use]:
    return Query(
        """
        SELECT json_build_object(
            'version', i.version, 'name', coalesce(i.name, '{}'),
            'has_orders', EXISTS (SELECT FROM order_lines l WHERE l.tenant_id = $1 AND l.item_id = $2)
                OR EXISTS (SELECT FROM order_line_stock s WHERE s.tenant_id = $1 AND s.item_id = $2),
            'packages', (SELECT coalesce(json_agg(p.name ORDER BY p.id), '[]')
                FROM package_items c JOIN packages p ON p.tenant_id = $1 AND p.id = c.package_id
                WHERE c.tenant_id = $1 AND c.item_id = $2))::text AS document
        FROM (SELECT) one LEFT JOIN items i ON i.tenant_id = $1 AND i.id = $2
        """,
        (item_id,),
        decoded(Use),
    )


def package_in_use(package_id: UUID) -> Query[Use]:
    return Query(
        """
        SELECT json_build_object(
            'version', p.version, 'name', coalesce(p.name, '{}'), 'packages', '[]'::json,
            'has_orders', EXISTS (
                SELECT FROM order_lines l WHERE l.tenant_id = $1 AND l.package_id = $2))::text AS document
        FROM (SELECT) one LEFT JOIN packages p ON p.tenant_id = $1 AND p.id = $2
        """,
        (package_id,),
        decoded(Use),
    )


def stock_to_move(item_id: UUID) -> Query[StockToMove]:
    return Query(
        """
        SELECT json_build_object(
            'stock', (SELECT stock FROM items WHERE tenant_id = $1 AND id = $2),
            'options', (SELECT coalesce(json_object_agg(id, quantity), '{}') FROM item_options
                WHERE tenant_id = $1 AND item_id = $2 AND quantity IS NOT NULL))::text AS document
        """,
        (item_id,),
        decoded(StockToMove),
    )


def entry_to_pin(entry_id: UUID) -> Query[UUID]:
    """The id of an item or a package, if it exists."""
    return Query(
        """
        SELECT i.id FROM items i WHERE i.tenant_id = $1 AND i.id = $2
        UNION ALL
        SELECT p.id FROM packages p WHERE p.tenant_id = $1 AND p.id = $2
        """,
        (entry_id,),
        found("item", lambda row: UUID(str(row["id"]))),
    )


def has_item_place(item_id: UUID, before: UUID | None) -> Query[bool]:
    """Whether the item can come before the other one; 404 if there is no such item."""
    return Query(
        """
        SELECT $3::uuid IS NULL OR EXISTS (SELECT 1 FROM items o WHERE o.tenant_id = $1 AND o.id = $3
            AND o.id <> i.id AND o.category_id IS NOT DISTINCT FROM i.category_id) AS has_place
        FROM items i WHERE i.tenant_id = $1 AND i.id = $2
        """,
        (item_id, before),
        found("item", lambda row: bool(row["has_place"])),
    )
