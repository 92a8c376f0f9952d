"""Canceling a booking that repeats: only this one, or this one and those after it."""

from collections.abc import Mapping
from uuid import UUID

from frontdesk.orders.change_status import ChangeOrderStatus, SettableStatus
from frontdesk.orders.queries.order_state import OrderToSchedule
from frontdesk.orders.types import OrderState
from frontdesk.postgres.act import Act, Context, FunctionCall, ResponseDocument
from frontdesk.postgres.query import Lock, Query
from frontdesk.problems import Problem, check_version
from frontdesk.scheduling.series_queries import Series, series_of
from frontdesk.values.actor import SYSTEM
from frontdesk.values.tenant_context import TenantContext

_LOCK = """
    SELECT FROM orders WHERE tenant_id = $1 AND series_id = (
        SELECT series_id FROM orders WHERE tenant_id = $1 AND id = $2) ORDER BY id FOR NO KEY UPDATE"""


class CancelSeries(Act[Series], frozen=True):
    """Raises if the order itself cannot be canceled; one of those after it that cannot be stays as it is."""

    order_id: UUID
    following: bool
    note: str | None = None
    version: int | None = None  # the one that a form was filled from
    notify: bool | None = None
    reason: Mapping[str, str] | None = None
    reason_name: str | None = None  # that an application sends; `reason` is what the business has under it

    def load(self) -> Query[Series]:
        return series_of(self.order_id).locking(Lock(_LOCK, (self.order_id,)))

    def decide(self, context: Context[Series]) -> FunctionCall:
        series, order = context.loaded, context.loaded.order.state
        check_version(self.version, order.version, order.id)
        changes = [_change(context.tenant, order, self.note, self.reason)]
        for later in series.following if self.following else ():
            try:
                changes.append(_change(context.tenant, later.state, self.note, self.reason))
            except Problem:
                continue
        made = [change for change in changes if change is not None]
        document = ResponseDocument("order_series_document", series.id)
        argument = {"series_id": series.id, "changes": made, "notify": self.notify}
        return FunctionCall("cancel_series" if made else None, argument, document)


def _change(
    tenant: TenantContext, order: OrderState, note: str | None, reason: Mapping[str, str] | None = None
) -> object:
    """The argument of the function that changes one order; None if it is canceled already."""
    cancel = ChangeOrderStatus(order.id, SettableStatus.CANCELED, note, reason=reason)
    return cancel.decide(Context(tenant, SYSTEM, OrderToSchedule(order, [], [], {}))).argument


def cancel_problem(tenant: TenantContext, order: OrderState) -> Problem | None:
    """Why an order of a series stays as it is."""
    try:
        _change(tenant, order, None)
    except Problem as problem:
        return problem
    return None
