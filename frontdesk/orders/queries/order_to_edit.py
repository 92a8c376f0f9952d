"""The reads of a change of an order's lines."""

from datetime import datetime
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

import msgspec
from asyncpg import Record

from frontdesk.orders.origins import PriceOrigin
from frontdesk.orders.pricing import Discount
from frontdesk.orders.queries.order_context import OrderInputs, order_context
from frontdesk.orders.queries.order_state import STATE, WHERE, read_state
from frontdesk.orders.types import LineType, OrderRequest, OrderState
from frontdesk.postgres.query import Query, found


class SoldStock(msgspec.Struct, frozen=True):
    """The units of a product that one unit of a line holds."""

    item_id: UUID
    units: int
    option_id: UUID | None


class SoldBooking(msgspec.Struct, frozen=True):
    id: UUID
    staff_id: UUID
    start: datetime
    end: datetime
    held: list[tuple[datetime, datetime]]  # the time that becomes free if it is moved


class SoldLine(msgspec.Struct, frozen=True):
    id: UUID
    type: LineType
    item_id: UUID  # or the package
    option_ids: tuple[UUID, ...]
    staff_id: UUID | None
    name: str
    price: Decimal
    quantity: int
    own_discount: Decimal
    total: Decimal
    tax_rate: Decimal
    discountable: bool
    duration: int | None
    booking: SoldBooking | None
    stock: list[SoldStock]
    priced: PriceOrigin | None


class OrderToEdit(NamedTuple):
    order: OrderState
    discount: Discount | None
    sold: list[SoldLine]  # in their order
    inputs: OrderInputs  # for the lines that replace them
    updated_at: datetime


def order_to_edit(order_id: UUID, request: OrderRequest, now: datetime) -> Query[OrderToEdit]:
    """`request` names the items of the new lines, and when they begin."""
    context = order_context(request, now)
    last = f"${len(context.args) + 2}"

    def read(row: Record) -> OrderToEdit:
        discount = msgspec.json.decode(row["discount"], type=Discount) if row["discount"] else None
        sold = msgspec.json.decode(row["sold"], type=list[SoldLine])
        return OrderToEdit(read_state(row), discount, sold, context.result(row), row["order_updated_at"])

    return Query(
        f"""SELECT {STATE}, o.discount::text AS discount, o.updated_at AS order_updated_at, {SOLD} AS sold,
               seen.*
        FROM ({context.sql}) seen, orders o WHERE {WHERE.replace("$2", last)}""",
        (*context.args, order_id),
        found("order", read),
    )


# Without a discount of the order, all of a line's discount is its own.
SOLD = """(
    SELECT coalesce(json_agg(json_build_object(
        'id', l.id, 'type', l.type, 'item_id', coalesce(l.item_id, l.package_id), 'option_ids', l.option_ids,
        'staff_id', l.staff_id, 'name', l.name, 'price', l.price::text, 'quantity', l.quantity,
        'own_discount', CASE WHEN o.discount IS NULL THEN l.discount_amount ELSE l.own_discount END::text,
        'total', l.total::text, 'tax_rate', l.tax_rate::text, 'discountable', l.apply_discount,
        'duration', l.duration, 'priced', l.priced,
        'booking', CASE WHEN k.id IS NOT NULL THEN json_build_object(
            'id', k.id, 'staff_id', k.staff_id,
            'start', format_utc(lower(k.during)), 'end', format_utc(upper(k.during)),
            'held', held_times_json($1, o.id, k.staff_id, CASE WHEN k.is_extra THEN k.during ELSE k.busy END)) END,
        'stock', (SELECT coalesce(json_agg(json_build_object(
                'item_id', s.item_id, 'units', s.units, 'option_id', s.option_id)), '[]')
            FROM order_line_stock s WHERE s.tenant_id = $1 AND s.order_id = o.id AND s.line_id = l.id))
        ORDER BY l.position), '[]')::text
    FROM order_lines l LEFT JOIN bookings k ON k.tenant_id = $1 AND k.line_id = l.id
    WHERE l.tenant_id = $1 AND l.order_id = o.id)"""
