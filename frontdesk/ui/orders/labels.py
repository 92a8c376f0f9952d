"""What pages call the parts of an order, and why one of its acts is refused."""

from frontdesk.orders.types import Source, Status
from frontdesk.ui.shell.i18n import mark

STATUSES = {
    Status.DRAFT: mark("Draft"),
    Status.CONFIRMED: mark("Confirmed"),
    Status.IN_PROGRESS: mark("In progress"),
    Status.COMPLETED: mark("Completed"),
    Status.CANCELED: mark("Canceled"),
}
PAYMENTS = {
    "unpaid": mark("Unpaid"),
    "partially_paid": mark("Partially paid"),
    "paid": mark("Paid"),
    "partially_refunded": mark("Partially refunded"),
    "refunded": mark("Refunded"),
}
SOURCES = {
    Source.API: mark("Application"),
    Source.POS: mark("Till"),
    Source.DASHBOARD: mark("Desk"),
    Source.ONLINE: mark("Online"),
}
AUTHORS = {"app": mark("Application"), "key": mark("Till"), "user": mark("Somebody"), "system": mark("Frontdesk")}
TRANSACTIONS = {
    "pending": mark("Pending"),
    "confirmed": mark("Confirmed"),
    "refused": mark("Refused"),
    "canceled": mark("Canceled"),
    "refunded": mark("Refunded"),
}
FAULTS = (
    mark("The order has an invoice: refund everything before you cancel it."),
    mark("The order is a refund and cannot be canceled."),
    mark("The order was refunded in part: refund the rest before you cancel it."),
    mark("The order was refunded and has no appointment to come: it stays as it is."),
    mark("The order was canceled and money was given back for it: place a new order instead."),
    mark("The order already has an invoice."),
    mark("The order is a draft: confirm it before it is paid."),
    mark("The order is a draft: nothing was paid that could be given back."),
    mark("The order is canceled and takes no payments."),
    mark("The order's time has been taken by another order since it was canceled."),
    mark("The business has no such active payment method."),
    mark("The application behind this payment method is no longer installed."),
    mark("is a draft, canceled or a refund, and gets no invoice"),
    mark("is a refund itself"),
    mark("needs products that are no longer in stock"),
    mark("needs products that are not in stock"),
    mark("The requested time has passed."),
    mark("Nobody who could do this works at the requested time."),
    mark("The provider is away at the requested time."),
    mark("The requested time is already taken."),
    mark("Appointments do not begin at this minute."),
    mark("must be a decimal string such as {n}.{n}"),
    mark("must have at most {n} decimals"),
    mark("must be more than {n}"),
    mark("must not exceed the unpaid {n}"),
    mark("must not exceed the unpaid {n}.{n}"),
    mark("must be from {n} to the {n} that are left"),
    mark("is not a line of this order"),
    mark("hold nothing that could be given back"),
    mark("nothing was paid that was not given back already"),
    mark("needs an appointment that is still to come"),
    mark("needs lines or the whole order: an amount returns no products"),
    mark("must not exceed the {n} that were paid and not given back"),
    mark("must not exceed the {n}.{n} that were paid and not given back"),
    mark("come to more than the {n} that were paid and not given back"),
    mark("come to more than the {n}.{n} that were paid and not given back"),
)
