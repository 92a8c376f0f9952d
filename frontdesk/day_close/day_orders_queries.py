"""The orders of a day that the page of the day close names: not paid in full, and still to come."""

from datetime import date, datetime
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

import msgspec
from asyncpg import Record

from frontdesk.postgres.query import Query, decoded

_MAX_LISTED = 12


class UnpaidOrders(NamedTuple):
    listed: list[tuple[UUID, int]]  # ids and numbers of the first ones
    total: int

    @property
    def others(self) -> int:
        return self.total - len(self.listed)


class ComingOrder(msgspec.Struct, frozen=True):
    id: UUID
    number: int
    starts: datetime
    customer: str | None
    unpaid: Decimal


class UpcomingOrders(msgspec.Struct, frozen=True):
    """Appointments of a day that have not begun or are not done."""

    listed: list[ComingOrder]  # the first ones
    total: int
    unpaid: Decimal  # of all

    @property
    def others(self) -> int:
        return self.total - len(self.listed)


def list_unpaid_orders(branch_id: UUID, day: date) -> Query[UnpaidOrders]:
    """Appointments of the day, and orders without an appointment that were made on it. Not those still to come,
    nor what is on account.
    """
    return Query(_UNPAID, (branch_id, day), _orders)


def list_upcoming_orders(branch_id: UUID, day: date) -> Query[UpcomingOrders]:
    return Query(_UPCOMING, (branch_id, day), decoded(UpcomingOrders))


_IN_DAY = """{0} >= day_start($3::date, context.timezone) AND {0} < day_start($3::date + 1, context.timezone)"""
_IS_UPCOMING = f"""o.parent_id IS NULL AND {_IN_DAY.format("o.starts_at")}
            AND (o.status = 'in-progress' OR o.status = 'confirmed' AND o.starts_at > clock_timestamp())"""
_UNPAID = f"""
    SELECT array_agg(id ORDER BY order_number) AS ids, array_agg(order_number ORDER BY order_number) AS numbers,
        coalesce(max(total), 0) AS total
    FROM (
        SELECT o.id, o.order_number, count(*) OVER () AS total FROM orders o
        WHERE o.tenant_id = $1 AND o.branch_id = $2 AND o.parent_id IS NULL AND o.status NOT IN ('draft', 'canceled')
            AND o.payment_status IN ('unpaid', 'partially_paid') AND o.total > o.paid_amount AND NOT o.on_account
            AND ({_IN_DAY.format("o.starts_at")} OR o.starts_at IS NULL AND {_IN_DAY.format("o.created_at")})
            AND ({_IS_UPCOMING}) IS NOT TRUE
        ORDER BY o.order_number LIMIT {_MAX_LISTED}) few"""
_UPCOMING = f"""
    SELECT json_build_object('total', coalesce(max(f.total), 0), 'unpaid', coalesce(max(f.sum), 0),
        'listed', coalesce(json_agg(json_build_object('id', f.id, 'number', f.order_number, 'starts', f.starts_at,
            'customer', nullif(concat_ws(' ', c.first_name, c.last_name), ''), 'unpaid', f.unpaid)
            ORDER BY f.starts_at, f.order_number), '[]'))::text AS document
    FROM (
        SELECT o.id, o.order_number, o.starts_at, o.customer_id, o.total - o.paid_amount AS unpaid,
            count(*) OVER () AS total, sum(o.total - o.paid_amount) OVER () AS sum
        FROM orders o WHERE o.tenant_id = $1 AND o.branch_id = $2 AND {_IS_UPCOMING}
        ORDER BY o.starts_at, o.order_number LIMIT {_MAX_LISTED}) f
    LEFT JOIN customers c ON c.tenant_id = $1 AND c.id = f.customer_id"""


def _orders(row: Record | None) -> UnpaidOrders:
    if row is None:
        return UnpaidOrders([], 0)
    return UnpaidOrders(list(zip(row["ids"] or (), row["numbers"] or (), strict=True)), row["total"])
