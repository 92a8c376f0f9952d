"""Orders of a branch that one payment pays."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

import msgspec

from frontdesk.payments.queries import METHOD_INFO
from frontdesk.payments.types import MethodInfo
from frontdesk.postgres.query import Lock, Query, always, decoded
from frontdesk.values.money import exact_sum

MAX_SETTLED = 100  # orders that one payment pays


class OpenOrder(msgspec.Struct, frozen=True):
    id: UUID
    number: int
    version: int
    at: datetime
    currency: str
    total: Decimal
    paid: Decimal
    begins: datetime | None  # its first booking

    @property
    def remaining(self) -> Decimal:
        return self.total - self.paid


class OrdersToSettle(msgspec.Struct, frozen=True):
    orders: list[OpenOrder]  # the oldest first
    methods: list[MethodInfo]

    @property
    def owed(self) -> Decimal:
        return exact_sum(order.remaining for order in self.orders)


class DrawerState(NamedTuple):
    is_open: bool  # for all, or for the user
    own_shifts: bool


class VisitLine(msgspec.Struct, frozen=True):
    name: str
    staff: str | None
    quantity: int
    total: Decimal


class Visit(OpenOrder, frozen=True):
    """An order as the cart of several shows it."""

    customer: str | None
    lines: list[VisitLine]


_BEGINS = """(SELECT format_utc(min(lower(b.during))) FROM bookings b
        WHERE b.tenant_id = $1 AND b.order_id = o.id AND b.is_active)"""
# Put the condition on the order `o` into the braces.
OPEN = f"""(SELECT coalesce(json_agg(json_build_object('id', o.id, 'number', o.order_number, 'version', o.version,
        'at', format_utc(o.created_at), 'currency', o.currency, 'total', o.total::text, 'paid', o.paid_amount::text,
        'begins', {_BEGINS}) ORDER BY o.order_number), '[]')
    FROM (SELECT o.* FROM orders o WHERE o.tenant_id = $1 AND {{}} ORDER BY o.order_number LIMIT {MAX_SETTLED}) o)"""
_CHOSEN = """o.id = ANY ($2::uuid[]) AND o.branch_id = $3 AND o.parent_id IS NULL AND o.paid_amount < o.total
        AND o.status NOT IN ('draft', 'canceled')"""


def settling(chosen: str, values: tuple[object, object], method_id: UUID) -> Query[OrdersToSettle]:
    """`chosen` is a condition on the order `o`, with `values` as $2 and $3."""
    return Query(
        f"""
        SELECT json_build_object('orders', {OPEN.format(chosen)}, 'methods', (
            SELECT coalesce(json_agg({METHOD_INFO}), '[]')
            FROM payment_methods m LEFT JOIN installs i ON i.tenant_id = $1 AND i.id = m.install_id
            WHERE m.tenant_id = $1 AND m.id = $4))::text AS document
        """,
        (*values, method_id),
        decoded(OrdersToSettle),
        Lock(
            f"SELECT id FROM orders o WHERE o.tenant_id = $1 AND {chosen} ORDER BY o.id FOR NO KEY UPDATE",
            values,
        ),
    )


def orders_to_settle(order_ids: Sequence[UUID], branch_id: UUID | None, method_id: UUID) -> Query[OrdersToSettle]:
    """The orders of one branch: its drawer gets the cash."""
    return settling(_CHOSEN, (list(order_ids), branch_id), method_id)


def visits_to_settle(order_ids: Sequence[UUID], branch_id: UUID | None, language: str | None) -> Query[list[Visit]]:
    """`language` is for the names of the lines; None means the tenant's first language."""
    return Query(
        f"""
        SELECT coalesce(json_agg(json_build_object('id', o.id, 'number', o.order_number, 'version', o.version,
            'at', format_utc(coalesce(o.starts_at, o.created_at)), 'currency', o.currency, 'total', o.total::text,
            'paid', o.paid_amount::text, 'begins', {_BEGINS},
            'customer', nullif(concat_ws(' ', c.first_name, c.last_name), ''),
            'lines', (SELECT coalesce(json_agg(json_build_object(
                    'name', coalesce(coalesce(i.name, p.name) ->> $4::text, l.name), 'staff', s.name,
                    'quantity', l.quantity, 'total', l.total::text) ORDER BY l.position), '[]')
                FROM order_lines l
                LEFT JOIN items i ON i.tenant_id = $1 AND i.id = l.item_id
                LEFT JOIN packages p ON p.tenant_id = $1 AND p.id = l.package_id
                LEFT JOIN staff s ON s.tenant_id = $1 AND s.id = l.staff_id
                WHERE l.tenant_id = $1 AND l.order_id = o.id)) ORDER BY o.order_number), '[]')::text AS document
        FROM orders o LEFT JOIN customers c ON c.tenant_id = $1 AND c.id = o.customer_id
        WHERE o.tenant_id = $1 AND {_CHOSEN}
        """,
        (list(order_ids), branch_id, language),
        decoded(list[Visit]),
    )


def drawer_state(branch_id: UUID | None, user_id: UUID) -> Query[DrawerState]:
    return Query(
        """
        SELECT EXISTS (SELECT 1 FROM drawer_sessions d WHERE d.tenant_id = $1 AND d.branch_id = $2
            AND d.closed_at IS NULL AND (d.cashier_id IS NULL OR d.cashier_id = $3)) AS is_open, context.own_shifts
        """,
        (branch_id, user_id),
        always(lambda row: DrawerState(row["is_open"], row["own_shifts"])),
    )
