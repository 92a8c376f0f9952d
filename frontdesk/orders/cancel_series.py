"""Canceling a booking that repeats: only this one, or this one and those after it."""

from uuid import UUID

from frontdesk.orders.change_status import SettableStatus, plan_status
from frontdesk.orders.queries.order_state import OrderToSchedule
from frontdesk.orders.queries.series import Series, series_of
from frontdesk.orders.types import OrderState
from frontdesk.postgres.act import FunctionCall, Lock
from frontdesk.postgres.write import Look
from frontdesk.problems import Problem, check_version
from frontdesk.values.tenant_context import TenantContext


def look_at_series(order_id: UUID) -> Look[Series]:
    return Look(series_of(order_id), Lock(_LOCK, (order_id,)))


_LOCK = """
    SELECT FROM orders WHERE tenant_id = $1 AND series_id = (
        SELECT series_id FROM orders WHERE tenant_id = $1 AND id = $2) ORDER BY id FOR NO KEY UPDATE"""


def plan_series_cancellation(
    tenant: TenantContext,
    seen: Series,
    *,
    following: bool,
    note: str | None,
    version: int | None,
    notify: bool | None = None,
) -> FunctionCall:
    """Raises if the order itself cannot be canceled; one of those after it that cannot be stays as it is."""
    if version is not None:
        check_version(version, seen.order.state.version, seen.order.state.id)
    changes = [_change(tenant, seen.order.state, note)]
    for order in seen.following if following else ():
        try:
            changes.append(_change(tenant, order.state, note))
        except Problem:
            continue
    made = [change for change in changes if change is not None]
    argument = {"series_id": seen.id, "changes": made, "notify": notify}
    return FunctionCall("cancel_series", argument)


def _change(tenant: TenantContext, order: OrderState, note: str | None) -> object:
    """The argument of the function that changes one order; None if it is canceled already."""
    return plan_status(tenant, OrderToSchedule(order, [], [], {}), SettableStatus.CANCELED, note).argument


def cancel_problem(tenant: TenantContext, order: OrderState) -> Problem | None:
    """Why an order of a series stays as it is."""
    try:
        _change(tenant, order, None)
    except Problem as problem:
        return problem
    return None
