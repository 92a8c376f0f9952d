"""Labels of orders, and error messages of frontdesk/orders, listed here for translation."""

from frontdesk.orders.types import Source, Status
from frontdesk.ui.shell.i18n import N_

STATUSES = {
    Status.DRAFT: N_("Draft"),
    Status.CONFIRMED: N_("Confirmed"),
    Status.IN_PROGRESS: N_("In progress"),
    Status.COMPLETED: N_("Completed"),
    Status.CANCELED: N_("Canceled"),
}
PAYMENTS = {
    "unpaid": N_("Unpaid"),
    "partially_paid": N_("Partially paid"),
    "paid": N_("Paid"),
    "partially_refunded": N_("Partially refunded"),
    "refunded": N_("Refunded"),
}
SOURCES = {
    Source.API: N_("Application"),
    Source.POS: N_("Till"),
    Source.DASHBOARD: N_("Dashboard"),
    Source.ONLINE: N_("Online"),
}
AUTHORS = {"app": N_("Application"), "key": N_("Till"), "user": N_("User"), "system": N_("Frontdesk")}
TRANSACTIONS = {
    "pending": N_("Pending"),
    "confirmed": N_("Confirmed"),
    "refused": N_("Refused"),
    "canceled": N_("Canceled"),
    "refunded": N_("Refunded"),
}
ERRORS = (
    N_("The order has an invoice: refund everything before you cancel it."),
    N_("The order is a refund and cannot be canceled."),
    N_("The order was refunded in part: refund the rest before you cancel it."),
    N_("The order was refunded and has no appointment to come: it stays as it is."),
    N_("The order was canceled and money was given back for it: place a new order instead."),
    N_("The order already has an invoice."),
    N_("The order is a draft: confirm it before it is paid."),
    N_("The order is a draft: nothing was paid that could be given back."),
    N_("The order is canceled and takes no payments."),
    N_("The order's time has been taken by another order since it was canceled."),
    N_("The business has no such active payment method."),
    N_("The application behind this payment method is no longer installed."),
    N_("is a draft, canceled or a refund, and gets no invoice"),
    N_("is a refund itself"),
    N_("needs products that are no longer in stock"),
    N_("needs products that are not in stock"),
    N_("The requested time has passed."),
    N_("Nobody who could do this works at the requested time."),
    N_("The provider is away at the requested time."),
    N_("The requested time is already taken."),
    N_("Appointments do not begin at this minute."),
    N_("must be a decimal string such as {n}.{n}"),
    N_("must have at most {n} decimals"),
    N_("must be more than {n}"),
    N_("must not exceed the unpaid {n}"),
    N_("must not exceed the unpaid {n}.{n}"),
    N_("must be from {n} to the {n} that are left"),
    N_("is not a line of this order"),
    N_("hold nothing that could be given back"),
    N_("nothing was paid that was not given back already"),
    N_("needs an appointment that is still to come"),
    N_("needs lines or the whole order: an amount returns no products"),
    N_("must not exceed the {n} that were paid and not given back"),
    N_("must not exceed the {n}.{n} that were paid and not given back"),
    N_("come to more than the {n} that were paid and not given back"),
    N_("come to more than the {n}.{n} that were paid and not given back"),
)
