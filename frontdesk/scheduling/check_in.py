"""Recording that the customer of an appointment has come."""

from datetime import datetime, timedelta
from uuid import UUID

from frontdesk.orders.problems import StatusProblem
from frontdesk.orders.queries.order_state import OrderToCheckIn, order_to_check_in
from frontdesk.postgres.act import Act, Context, FunctionCall, ResponseDocument
from frontdesk.postgres.query import Query, lock_row
from frontdesk.problems import Problem, check_version
from frontdesk.values.clock import current_time
from frontdesk.values.tenant_context import TenantContext
from frontdesk.values.time import get_zone, to_local

_NIGHT = timedelta(hours=6)
_EARLY = timedelta(hours=2)


class SetOrderArrived(Act[OrderToCheckIn], frozen=True):
    """Only an appointment of today that is confirmed or in progress has a customer to wait for."""

    order_id: UUID
    arrived: bool
    version: int | None = None  # the one that a form was filled from

    def load(self) -> Query[OrderToCheckIn]:
        return order_to_check_in(self.order_id).locking(lock_row("orders", self.order_id))

    def decide(self, context: Context[OrderToCheckIn]) -> FunctionCall:
        order = context.loaded
        document = ResponseDocument("order_document", order.id)
        if order.arrived == self.arrived:
            return FunctionCall(None, None, document)  # no error, however old the form is
        check_version(self.version, order.version, order.id)
        if order.starts_at is None or order.status not in ("confirmed", "in-progress"):
            raise Problem(StatusProblem.NOT_AN_APPOINTMENT)
        if self.arrived and not _is_today(context.tenant, order.starts_at, current_time()):
            raise Problem(StatusProblem.NOT_TODAY)
        argument = {"order_id": order.id, "version": order.version, "arrived": self.arrived}
        return FunctionCall("set_order_arrived", argument, document)


def _is_today(tenant: TenantContext, start: datetime, now: datetime) -> bool:
    """A night belongs to the day that it began on, and a customer may come a little before midnight."""
    zone = get_zone(tenant.timezone)
    days = {to_local(moment, zone).date() for moment in (now - _NIGHT, now, now + _EARLY)}
    return to_local(start, zone).date() in days
