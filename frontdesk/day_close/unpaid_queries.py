"""The orders of a day that are not paid in full, for the page of the day close."""

from datetime import date
from typing import NamedTuple
from uuid import UUID

from asyncpg import Record

from frontdesk.postgres.query import Query

_MAX_LISTED = 12


class UnpaidOrders(NamedTuple):
    listed: list[tuple[UUID, int]]  # ids and numbers of the first ones
    total: int

    @property
    def others(self) -> int:
        return self.total - len(self.listed)


def list_unpaid_orders(branch_id: UUID, day: date) -> Query[UnpaidOrders]:
    """Appointments of the day, and orders without an appointment that were made on it."""
    return Query(_UNPAID, (branch_id, day), _orders)


_IN_DAY = """{0} >= day_start($3::date, context.timezone) AND {0} < day_start($3::date + 1, context.timezone)"""
_UNPAID = f"""
    SELECT array_agg(id ORDER BY order_number) AS ids, array_agg(order_number ORDER BY order_number) AS numbers,
        coalesce(max(total), 0) AS total
    FROM (
        SELECT o.id, o.order_number, count(*) OVER () AS total FROM orders o
        WHERE o.tenant_id = $1 AND o.branch_id = $2 AND o.parent_id IS NULL AND o.status NOT IN ('draft', 'canceled')
            AND o.payment_status IN ('unpaid', 'partially_paid') AND o.total > o.paid_amount
            AND ({_IN_DAY.format("o.starts_at")} OR o.starts_at IS NULL AND {_IN_DAY.format("o.created_at")})
        ORDER BY o.order_number LIMIT {_MAX_LISTED}) few"""


def _orders(row: Record | None) -> UnpaidOrders:
    if row is None:
        return UnpaidOrders([], 0)
    return UnpaidOrders(list(zip(row["ids"] or (), row["numbers"] or (), strict=True)), row["total"])
