"""Giving up an appointment whose order has an invoice or refunds, which no change of the status can cancel.

The order is canceled, its time is free and its products return to stock. An invoice gets a credit note for what is
left of it, paid or not, so that invoice and credit notes add up to what the order is worth: nothing. What was paid
stays paid until it is refunded.
"""

from datetime import UTC, datetime
from uuid import UUID

from frontdesk.orders.change_status import check_no_show, find_cancel_problem
from frontdesk.orders.credit import credit_rest
from frontdesk.orders.problems import StatusProblem
from frontdesk.orders.queries.order_state import lock_resources
from frontdesk.orders.queries.refunding import OrderToRefund, order_to_refund
from frontdesk.orders.types import Status
from frontdesk.postgres.act import FunctionCall
from frontdesk.postgres.write import Look
from frontdesk.problems import Problem
from frontdesk.values.actor import Actor
from frontdesk.values.tenant_context import TenantContext

_BOOKED = (Status.CONFIRMED, Status.IN_PROGRESS)


def look_at_give_up(order_id: UUID) -> Look[OrderToRefund]:
    return Look(order_to_refund(order_id, None), lock_resources(order_id))


def can_give_up(*, status: Status, has_appointment: bool, invoiced: bool) -> bool:
    """An order that is completed was performed: it is refunded, not given up."""
    return status in _BOOKED and (has_appointment or invoiced)


def plan_give_up(
    tenant: TenantContext,
    seen: OrderToRefund,
    note: str | None,
    actor: Actor,
    *,
    no_show: bool = False,
    notify: bool | None = None,
) -> FunctionCall:
    order = seen.order
    if order.status is Status.CANCELED:
        return FunctionCall(None, None)
    has_appointment = order.first_booking_at is not None
    if not can_give_up(status=order.status, has_appointment=has_appointment, invoiced=order.invoiced):
        raise find_cancel_problem(
            invoiced=order.invoiced, is_refund=order.parent_id is not None, refunded=order.refunded
        ) or Problem(StatusProblem.NO_APPOINTMENT_TO_GIVE_UP)
    check_no_show(order, no_show=no_show)
    issued_by = actor.id if actor.type == "user" else None
    credit_note = credit_rest(seen.invoice, seen.sold, order.id, issued_by, datetime.now(UTC), tenant.currency_decimals)
    argument = {
        "order_id": order.id,
        "version": order.version,
        "status": Status.CANCELED,
        "effect": "release",
        "note": note,
        "no_show": no_show,
        "notify": notify,
        "credit_note": credit_note,
    }
    return FunctionCall("change_order_status", argument)
