"""One act on many orders. Each order is changed by the same function as alone, so some may be refused."""

from enum import StrEnum

from frontdesk.orders.change_status import ChangeOrderStatus, find_cancel_problem, is_upcoming
from frontdesk.orders.invoice_problem import find_invoice_problem
from frontdesk.orders.problems import StatusProblem
from frontdesk.orders.queries.order_state import OrderToSchedule
from frontdesk.orders.types import OrderState, Status
from frontdesk.postgres.act import Context, FunctionCall
from frontdesk.problems import Problem, check_version


class BulkAct(StrEnum):
    COMPLETE = "complete"
    CANCEL = "cancel"
    INVOICE = "invoice"
    EXPORT = "export"


class ChangeStatusInBulk(ChangeOrderStatus, frozen=True, kw_only=True):
    """Refuses what the preview of all orders said, also if the order has changed since."""

    bulk_act: BulkAct

    def decide(self, context: Context[OrderToSchedule]) -> FunctionCall:
        order = context.loaded.order
        if order.status.value != self.status.value:
            check_version(self.version, order.version, order.id)
            problem = find_problem(self.bulk_act, order)
            if problem is not None:
                raise problem
        return ChangeOrderStatus.decide(self, context)


def find_problem(act: BulkAct, order: OrderState) -> Problem | None:
    """Why the act would be refused for an order, or would change nothing."""
    match act:
        case BulkAct.COMPLETE:
            return _completion_problem(order)
        case BulkAct.CANCEL:
            return _cancel_problem(order)
        case BulkAct.INVOICE:
            return find_invoice_problem(order)
        case BulkAct.EXPORT:
            return None


def _completion_problem(order: OrderState) -> Problem | None:
    """Drafts and canceled orders need a time first, so each of them is confirmed on its own page."""
    if order.status is Status.COMPLETED:
        return Problem(StatusProblem.ALREADY_COMPLETED)
    if order.status in (Status.DRAFT, Status.CANCELED):
        return Problem(StatusProblem.NEEDS_CONFIRMATION)
    if order.parent_id is not None:
        return Problem(StatusProblem.IS_REFUND)
    return Problem(StatusProblem.NOT_BEGUN) if is_upcoming(order) else None


def _cancel_problem(order: OrderState) -> Problem | None:
    if order.status is Status.CANCELED:
        return Problem(StatusProblem.ALREADY_CANCELED)
    return find_cancel_problem(invoiced=order.invoiced, is_refund=order.parent_id is not None, refunded=order.refunded)
