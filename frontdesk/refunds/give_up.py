"""Giving up an appointment whose order has an invoice or refunds, which no change of the status can cancel.

The order is canceled, its time is free and its products return to stock. An invoice gets a credit note for what is
left of it, paid or not, so that invoice and credit notes add up to what the order is worth: nothing. What was paid
stays paid until it is refunded.
"""

from collections.abc import Mapping
from uuid import UUID

from frontdesk.invoices.credit import credit_rest
from frontdesk.invoices.money_types import NewCreditNote
from frontdesk.invoices.order_queries import OrderToRefund, order_to_refund
from frontdesk.orders.change_status import check_forgiving, check_no_show, find_cancel_problem
from frontdesk.orders.problems import StatusProblem
from frontdesk.orders.queries.order_state import lock_resources
from frontdesk.orders.types import Status
from frontdesk.postgres.act import Act, Context, FunctionCall
from frontdesk.postgres.query import Query
from frontdesk.problems import Problem, check_version
from frontdesk.values.clock import current_time

_BOOKED = (Status.CONFIRMED, Status.IN_PROGRESS)


def can_give_up(*, status: Status, has_appointment: bool, invoiced: bool) -> bool:
    """An order that is completed was performed: it is refunded, not given up."""
    return status in _BOOKED and (has_appointment or invoiced)


class GiveUpAppointment(Act[OrderToRefund], frozen=True):
    order_id: UUID
    note: str | None = None
    no_show: bool = False
    notify: bool | None = None
    version: int | None = None  # the one that a form was filled from
    reason: Mapping[str, str] | None = None
    may_forgive: bool = True

    def load(self) -> Query[OrderToRefund]:
        return order_to_refund(self.order_id, None).locking(lock_resources(self.order_id))

    def decide(self, context: Context[OrderToRefund]) -> FunctionCall:
        order = context.loaded.order
        if order.status is Status.CANCELED:
            return FunctionCall(None, None)  # no error, however old the form is
        check_version(self.version, order.version, order.id)
        has_appointment = order.first_booking_at is not None
        if not can_give_up(status=order.status, has_appointment=has_appointment, invoiced=order.invoiced):
            raise find_cancel_problem(
                invoiced=order.invoiced, is_refund=order.parent_id is not None, refunded=order.refunded
            ) or Problem(StatusProblem.NO_APPOINTMENT_TO_GIVE_UP)
        check_no_show(order, no_show=self.no_show)
        return self.release(context)

    def release(self, context: Context[OrderToRefund]) -> FunctionCall:
        order = context.loaded.order
        check_forgiving(order, may_forgive=self.may_forgive)
        argument = {
            "order_id": order.id,
            "version": order.version,
            "status": Status.CANCELED,
            "effect": "release" if order.holds_time_and_stock else None,
            "note": self.note,
            "no_show": self.no_show,
            "reason": self.reason,
            "notify": self.notify,
            "credit_note": _credit_note(context),
        }
        return FunctionCall("change_order_status", argument)


def _credit_note(context: Context[OrderToRefund]) -> NewCreditNote | None:
    loaded, decimals = context.loaded, context.tenant.currency_decimals
    issued_by, now = context.actor.user_id, current_time()
    return credit_rest(loaded.invoice, loaded.sold, loaded.order.id, issued_by, now, decimals)
