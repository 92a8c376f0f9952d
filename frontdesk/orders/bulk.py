"""One act on many orders. Each order is changed by the same function as alone, so some may be refused."""

from enum import StrEnum

from frontdesk.errors import Code, WireError
from frontdesk.orders.change_status import find_cancel_problem, is_coming
from frontdesk.orders.invoice import find_invoice_problem
from frontdesk.orders.types import OrderState, Status


class BulkAct(StrEnum):
    COMPLETE = "complete"
    CANCEL = "cancel"
    INVOICE = "invoice"
    EXPORT = "export"


def find_problem(act: BulkAct, order: OrderState) -> WireError | None:
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


def _completion_problem(order: OrderState) -> WireError | None:
    """Drafts and canceled orders need a time first, so each of them is confirmed on its own page."""
    if order.status is Status.COMPLETED:
        return _refusal("The order is already completed.")
    if order.status in (Status.DRAFT, Status.CANCELED):
        return _refusal("The order is a draft or canceled. Confirm it on its own page first.")
    return None


def _cancel_problem(order: OrderState) -> WireError | None:
    if order.status is Status.CANCELED:
        return _refusal("The order is already canceled.")
    return find_cancel_problem(
        invoiced=order.invoiced,
        is_refund=order.parent_id is not None,
        refunded=order.refunded,
        wholly_refunded=order.is_wholly_refunded,
        coming=is_coming(order),
    )


def _refusal(message: str) -> WireError:
    return WireError(Code.INVALID_STATUS_TRANSITION, message)
