"""Canceling an order for an application, which need not know whether the order has an invoice or refunds."""

from frontdesk.invoices.order_queries import OrderToRefund
from frontdesk.orders.change_status import find_cancel_problem, is_upcoming
from frontdesk.orders.problems import StatusProblem
from frontdesk.orders.types import OrderState, Status
from frontdesk.postgres.act import Context, FunctionCall, ResponseDocument
from frontdesk.problems import Problem
from frontdesk.refunds.give_up import GiveUpAppointment, can_give_up


class CancelOrder(GiveUpAppointment, frozen=True):
    """What the page of an order offers: its status is changed, or its appointment is given up."""

    reason_name: str | None = None  # in any language; `reason` is what the business has under it

    def decide(self, context: Context[OrderToRefund]) -> FunctionCall:
        order = context.loaded.order
        response = ResponseDocument("order_document", order.id)
        if order.status is Status.CANCELED:
            return FunctionCall(None, None, response)
        _check(order)
        if self.no_show and is_upcoming(order):
            raise Problem(StatusProblem.NOT_BEGUN, "no_show")
        return self.release(context)._replace(response=response)


def _check(order: OrderState) -> None:
    problem = find_cancel_problem(
        invoiced=order.invoiced, is_refund=order.parent_id is not None, refunded=order.refunded
    )
    has_appointment = order.first_booking_at is not None
    if problem is None or can_give_up(status=order.status, has_appointment=has_appointment, invoiced=order.invoiced):
        return
    if order.parent_id is not None:
        raise problem
    is_done = order.status is Status.COMPLETED
    raise Problem(StatusProblem.ALREADY_COMPLETED if is_done else StatusProblem.NO_APPOINTMENT_TO_GIVE_UP)
