"""Recording that the customer of an appointment has come."""

from datetime import datetime, timedelta
from uuid import UUID

from frontdesk.orders.problems import StatusProblem
from frontdesk.orders.queries.order_state import OrderToCheckIn, lock_order, order_to_check_in
from frontdesk.postgres.act import FunctionCall
from frontdesk.postgres.write import Look
from frontdesk.problems import Problem
from frontdesk.values.tenant_context import TenantContext
from frontdesk.values.time import get_zone, to_local

_NIGHT = timedelta(hours=6)
_EARLY = timedelta(hours=2)


def look_at_arrival(order_id: UUID) -> Look[OrderToCheckIn]:
    return Look(order_to_check_in(order_id), lock_order(order_id))


def plan_arrival(tenant: TenantContext, seen: OrderToCheckIn, now: datetime, *, arrived: bool) -> FunctionCall:
    """Only an appointment of today that is confirmed or in progress has a customer to wait for."""
    if seen.arrived == arrived:
        return FunctionCall(None, None)
    if seen.starts_at is None or seen.status not in ("confirmed", "in-progress"):
        raise Problem(StatusProblem.NOT_AN_APPOINTMENT)
    if arrived and not _is_today(tenant, seen.starts_at, now):
        raise Problem(StatusProblem.NOT_TODAY)
    return FunctionCall("set_order_arrived", {"order_id": seen.id, "version": seen.version, "arrived": arrived})


def _is_today(tenant: TenantContext, start: datetime, now: datetime) -> bool:
    """A night belongs to the day that it began on, and a customer may come a little before midnight."""
    zone = get_zone(tenant.timezone)
    days = {to_local(moment, zone).date() for moment in (now - _NIGHT, now, now + _EARLY)}
    return to_local(start, zone).date() in days
