"""The reads of acts at the till."""

import re
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

import msgspec
from asyncpg import Record

from frontdesk.invoices.order_queries import OrderToRefund, order_to_refund
from frontdesk.orders.queries.order_context import OrderInputs
from frontdesk.orders.queries.order_state import STATE, WHERE, read_methods, read_state
from frontdesk.orders.queries.order_to_edit import OrderToEdit
from frontdesk.orders.types import OrderState
from frontdesk.payments.queries import METHOD_INFO
from frontdesk.payments.types import MethodInfo
from frontdesk.postgres.query import Query, decoded, found, optional_decoded
from frontdesk.tenants.price_queries import BASE_SELLABLE


class FoundItem(msgspec.Struct, frozen=True):
    """What is added to the cart."""

    item_id: UUID
    option_id: UUID | None
    has_options: bool  # that are on sale
    base_sellable: bool
    staff: list[UUID]  # who perform it


_FOUND = f"""
    SELECT json_build_object('item_id', f.item_id, 'option_id', f.option_id, 'has_options', EXISTS (
            SELECT FROM item_options v WHERE v.tenant_id = $1 AND v.item_id = f.item_id AND v.is_active),
        'base_sellable', f.base_sellable,
        'staff', ARRAY(SELECT ss.staff_id FROM staff_services ss JOIN staff s ON s.tenant_id = $1 AND s.id = ss.staff_id
            WHERE ss.tenant_id = $1 AND ss.item_id = f.item_id AND s.active))::text AS document
    FROM (SELECT i.id AS item_id, NULL::uuid AS option_id, {BASE_SELLABLE} AS base_sellable FROM items i
        WHERE i.tenant_id = $1 AND i.status AND {{item}}
        UNION ALL
        SELECT v.item_id, v.id, {BASE_SELLABLE} FROM item_options v
        JOIN items i ON i.tenant_id = $1 AND i.id = v.item_id
        WHERE v.tenant_id = $1 AND v.is_active AND i.status AND {{option}}
        UNION ALL
        SELECT p.id, NULL, true FROM packages p WHERE p.tenant_id = $1 AND p.status AND {{package}}) f LIMIT 1"""
_BY_CODE = _FOUND.format(
    item="(i.barcode = $2 OR i.sku = $2)", option="(v.barcode = $2 OR v.sku = $2)", package="p.sku = $2"
)
_BY_ID = _FOUND.format(item="i.id = $2", option="v.id = $2", package="p.id = $2")


def find_code(code: str) -> Query[FoundItem | None]:
    """What a scanner reads: the barcode or the SKU of an item, an option or a package, exactly."""
    return Query(_BY_CODE, (code,), optional_decoded(FoundItem))


# `limit 2` distinguishes one from several.
_BY_NAME = """
    SELECT i.id FROM items i WHERE i.tenant_id = $1 AND i.status AND ($3::uuid IS NULL OR i.branch_id = $3)
        AND position($2 IN i.name_search) > 0
    UNION ALL
    SELECT p.id FROM packages p WHERE p.tenant_id = $1 AND p.status AND ($3::uuid IS NULL OR p.branch_id = $3)
        AND position($2 IN lower(p.name::text)) > 0
    LIMIT 2"""


def find_only_match(search: str, branch_id: UUID | None) -> Query[UUID | None]:
    """The item or package whose name contains the text, if it is the only one that is on sale."""
    return Query(
        f"SELECT array_agg(f.id) AS ids FROM ({_BY_NAME}) f",
        (search, branch_id),
        lambda row: row["ids"][0] if row and row["ids"] and len(row["ids"]) == 1 else None,
    )


def find_item(id_: UUID) -> Query[FoundItem | None]:
    """An item, a package, or the option of an item."""
    return Query(_BY_ID, (id_,), optional_decoded(FoundItem))


class LineStock(msgspec.Struct, frozen=True):
    """What one unit of a sold line took from stock."""

    line_id: UUID
    item_id: UUID
    units: int
    option_id: UUID | None


def stock_of_lines(order_id: UUID) -> Query[list[LineStock]]:
    return Query(
        """
        SELECT coalesce(json_agg(json_build_object('line_id', s.line_id, 'item_id', s.item_id, 'units', s.units,
            'option_id', s.option_id)), '[]')::text AS document
        FROM order_line_stock s WHERE s.tenant_id = $1 AND s.order_id = $2
        """,
        (order_id,),
        decoded(list[LineStock]),
    )


class OrderInCart(NamedTuple):
    edit: OrderToEdit
    methods: list[MethodInfo]


def order_in_cart(edit: Query[OrderToEdit], method_ids: Sequence[UUID]) -> Query[OrderInCart]:
    """What a change of the order reads, and the methods that it is paid by."""
    methods = f"${len(edit.args) + 2}"
    return Query(
        f"""
        SELECT edit.*, (SELECT coalesce(json_agg({METHOD_INFO}), '[]')::text
            FROM payment_methods m LEFT JOIN installs i ON i.tenant_id = $1 AND i.id = m.install_id
            WHERE m.tenant_id = $1 AND m.id = ANY({methods})) AS methods
        FROM ({edit.sql}) edit
        """,
        (*edit.args, list(method_ids)),
        found("order", lambda row: OrderInCart(edit.result(row), read_methods(row))),
        edit.lock,
    )


class OrderToCheckOut(NamedTuple):
    order: OrderState
    methods: list[MethodInfo]


def order_to_check_out(order_id: UUID, method_ids: Sequence[UUID]) -> Query[OrderToCheckOut]:
    return Query(
        f"""
        SELECT {STATE}, (SELECT coalesce(json_agg({METHOD_INFO}), '[]')::text
            FROM payment_methods m LEFT JOIN installs i ON i.tenant_id = $1 AND i.id = m.install_id
            WHERE m.tenant_id = $1 AND m.id = ANY($3)) AS methods
        FROM orders o WHERE {WHERE}
        """,
        (order_id, list(method_ids)),
        found("order", lambda row: OrderToCheckOut(read_state(row), read_methods(row))),
    )


class OrderToExchange(NamedTuple):
    refund: OrderToRefund
    sale: OrderInputs


def order_to_exchange(order_id: UUID, method_id: UUID | None, sale: Query[OrderInputs]) -> Query[OrderToExchange]:
    """Both reads in one statement; the parameters of the second follow those of the first."""
    refund = order_to_refund(order_id, method_id)
    shifted = after_parameters(sale.sql, len(refund.args))

    def read(row: Record) -> OrderToExchange:
        return OrderToExchange(refund.result(row), sale.result(row))

    return Query(
        f"SELECT refunded.*, seen.* FROM ({refund.sql}) refunded, ({shifted}) seen",
        (*refund.args, *sale.args),
        found("order", read),
    )


def after_parameters(sql: str, others: int) -> str:
    """The statement with its parameters after those of another; the tenant is the first of both."""
    return re.sub(r"\$([0-9]+)", lambda found: f"${int(found[1]) + (others if found[1] != '1' else 0)}", sql)


class ParkedLine(msgspec.Struct, frozen=True):
    id: UUID
    item_id: UUID
    option_ids: list[UUID]
    staff_id: UUID | None
    price: Decimal
    quantity: int
    discount_amount: Decimal
    own_discount: Decimal  # of this line alone


class ParkedDiscount(msgspec.Struct, frozen=True):
    kind: str
    amount: Decimal
    apply_all: bool = False


class ParkedSale(msgspec.Struct, frozen=True):
    version: int
    status: str
    starts_at: datetime | None
    branch_id: UUID
    customer_id: UUID | None
    discount: ParkedDiscount | None
    lines: list[ParkedLine]


def find_parked_sale(order_id: UUID) -> Query[ParkedSale | None]:
    return Query(
        """
        SELECT json_build_object('version', o.version, 'status', o.status, 'starts_at', format_utc(o.starts_at),
            'branch_id', o.branch_id, 'customer_id', o.customer_id,
            'discount', CASE WHEN o.discount IS NOT NULL THEN json_build_object(
                'kind', o.discount ->> 'kind', 'amount', o.discount ->> 'amount',
                'apply_all', o.discount -> 'apply_all') END,
            'lines', (SELECT coalesce(json_agg(json_build_object(
                    'id', l.id, 'item_id', coalesce(l.item_id, l.package_id), 'option_ids', l.option_ids,
                    'staff_id', l.staff_id, 'price', l.price::text,
                    'own_discount', CASE WHEN o.discount IS NULL THEN l.discount_amount ELSE l.own_discount END::text,
                    'quantity', l.quantity, 'discount_amount', l.discount_amount::text)
                    ORDER BY l.position), '[]')
                FROM order_lines l WHERE l.tenant_id = $1 AND l.order_id = o.id))::text AS document
        FROM orders o WHERE o.tenant_id = $1 AND o.id = $2
        """,
        (order_id,),
        optional_decoded(ParkedSale),
    )


def find_receipt_order(number: int | None, id_: UUID | None) -> Query[UUID | None]:
    """By the number of the order, by its id, or by that of its receipt's address."""
    return Query(
        """
        SELECT o.id FROM orders o WHERE o.tenant_id = $1 AND o.parent_id IS NULL AND (o.order_number = $2::bigint
            OR o.id = $3::uuid
            OR o.id = (SELECT k.order_id FROM receipt_links k WHERE k.tenant_id = $1 AND k.id = $3::uuid))
        """,
        (number, id_),
        lambda row: None if row is None else row["id"],
    )


def find_cashier_code(name: str) -> Query[str | None]:
    """Of the active cashier with this name; a person without one is known by name alone."""
    return Query(
        "SELECT k.code FROM cashiers k WHERE k.tenant_id = $1 AND k.name = $2 AND k.active ORDER BY k.code LIMIT 1",
        (name,),
        lambda row: None if row is None else row["code"],
    )
