"""What the acts on the catalog read before they write."""

from collections.abc import Mapping
from decimal import Decimal
from uuid import UUID

import msgspec

from frontdesk.catalog.changes import ItemEntry, PackageEntry
from frontdesk.postgres.query import Query, decoded, found


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


class PackageToSave(msgspec.Struct, frozen=True):
    version: int | None
    branches: list[UUID]
    tax_classes: list[UUID]
    codes: Mapping[str, str]
    items: Mapping[UUID, UUID]  # of the contents, with their branch
    prices: Mapping[UUID, Decimal]  # of the contents, with the offers of today


class NamedCategory(msgspec.Struct, frozen=True):
    branch_id: UUID
    name: Mapping[str, str]


class CategoryToChange(msgspec.Struct, frozen=True):
    version: int | None
    branches: list[UUID]
    item_count: int
    others: list[NamedCategory]


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


def item_to_save(entry: ItemEntry) -> Query[ItemToSave]:
    codes = [entry.sku, entry.barcode, *(code for option in entry.options for code in (option.sku, option.barcode))]
    return Query(
        f"""
        SELECT json_build_object(
            'version', (SELECT version FROM items WHERE tenant_id = $1 AND id = $2),
            'type', (SELECT type FROM items WHERE tenant_id = $1 AND id = $2), {_BRANCHES}, {_TAX_CLASSES}, {_CODES},
            'categories', (SELECT coalesce(json_object_agg(id, branch_id), '{{}}')
                FROM categories WHERE tenant_id = $1),
            'staff', (SELECT coalesce(json_agg(id), '[]') FROM staff WHERE tenant_id = $1),
            'used_options', (SELECT coalesce(json_agg(json_build_object('id', o.id, 'name', localized(o.name))), '[]')
                FROM item_options o WHERE o.tenant_id = $1 AND o.item_id = $2 AND o.id <> ALL($4) AND (
                    o.quantity > 0
                    OR EXISTS (SELECT FROM order_lines l WHERE l.tenant_id = $1 AND o.id = ANY(l.option_ids))
                    OR EXISTS (SELECT FROM order_line_stock s WHERE s.tenant_id = $1 AND s.option_id = o.id))),
            'has_foreign_options', EXISTS (
                SELECT FROM item_options WHERE tenant_id = $1 AND item_id <> $2 AND id = ANY($4))
        )::text AS document
        """,
        (entry.id, [code for code in codes if code], [option.id for option in entry.options]),
        decoded(ItemToSave),
    )


def package_to_save(entry: PackageEntry) -> Query[PackageToSave]:
    return Query(
        f"""
        SELECT json_build_object(
            'version', (SELECT version FROM packages WHERE tenant_id = $1 AND id = $2),
            {_BRANCHES}, {_TAX_CLASSES}, {_CODES},
            'items', (SELECT coalesce(json_object_agg(id, branch_id), '{{}}')
                FROM items WHERE tenant_id = $1 AND id = ANY($4)),
            'prices', (SELECT coalesce(json_object_agg(i.id, coalesce(
                    offer_today(i.offer_price, i.offer_from, i.offer_until, context.timezone), i.price)::text), '{{}}')
                FROM items i WHERE i.tenant_id = $1 AND i.id = ANY($4)))::text AS document
        """,
        (entry.id, [entry.sku] if entry.sku else [], [part.item_id for part in entry.contents]),
        decoded(PackageToSave),
    )


def category_to_change(category_id: UUID) -> Query[CategoryToChange]:
    return Query(
        f"""
        SELECT json_build_object(
            'version', (SELECT version FROM categories WHERE tenant_id = $1 AND id = $2), {_BRANCHES},
            'item_count', (SELECT count(*) FROM items WHERE tenant_id = $1 AND category_id = $2),
            'others', (SELECT coalesce(json_agg(json_build_object('branch_id', branch_id, 'name', name)), '[]')
                FROM categories WHERE tenant_id = $1 AND id <> $2))::text AS document
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
