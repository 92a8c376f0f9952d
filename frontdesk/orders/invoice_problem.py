from frontdesk.orders.problems import InvoiceProblem
from frontdesk.orders.types import OrderState, Status
from frontdesk.problems import Problem


def find_invoice_problem(order: OrderState) -> Problem | None:
    """Why an order cannot have an invoice."""
    if order.invoiced:
        return Problem(InvoiceProblem.EXISTS)
    if order.status in (Status.DRAFT, Status.CANCELED) or order.parent_id is not None:
        return Problem(InvoiceProblem.NOT_POSSIBLE, "order_id")
    return None
