"""Labels of orders, and error messages of frontdesk/orders, listed here for translation."""

from frontdesk.orders.bulk import BulkAct
from frontdesk.orders.queries.order_list import OrderSort
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
SORTS = {
    OrderSort.NEWEST: N_("Newest first"),
    OrderSort.OLDEST: N_("Oldest first"),
    OrderSort.APPOINTMENT: N_("By appointment, soonest first"),
    OrderSort.LATEST_APPOINTMENT: N_("By appointment, latest first"),
}
BULK_ACTS = {
    BulkAct.COMPLETE: N_("Mark as completed"),
    BulkAct.CANCEL: N_("Cancel orders"),
    BulkAct.INVOICE: N_("Issue invoices"),
    BulkAct.EXPORT: N_("Export as CSV"),
}
AUTHORS = {
    "app": N_("Application"),
    "key": N_("Till"),
    "user": N_("User"),
    "customer": N_("Customer, online"),
    "system": N_("Frontdesk"),
}
TRANSACTIONS = {
    "pending": N_("Pending"),
    "confirmed": N_("Confirmed"),
    "refused": N_("Refused"),
    "canceled": N_("Canceled"),
    "refunded": N_("Refunded"),
}
ERRORS = (
    N_("The order is already completed."),
    N_("The order is already canceled."),
    N_("The order is a draft or canceled. Confirm it on its own page first."),
    N_("There are already {n} views. Delete one first."),
    N_("Another view has this name."),
    N_("The order is not a confirmed appointment."),
    N_("This is a refund, so its lines cannot change."),
    N_("This is a draft. Continue it at the till."),
    N_("The order is canceled. Confirm it again before you change its lines."),
    N_(
        "The order has an invoice, so its lines cannot change. Refund what is taken away, which issues a credit note, "
        "and make a new order for what is added."
    ),
    N_("Part of the order was refunded, so its lines cannot change. Make a new order for what is added."),
    N_("An order needs at least one line. Cancel the order instead."),
    N_(
        "{n} were paid, which is more than the new total of {n}. Refund what is taken away instead of removing it here."
    ),
    N_(
        "{n}.{n} were paid, which is more than the new total of {n}.{n}. "
        "Refund what is taken away instead of removing it here."
    ),
    N_("must list distinct options of this item"),
    N_("must be one option for a product"),
    N_("makes the amount too large"),
    N_("The order has an invoice. Refund it in full before you cancel it."),
    N_("The order is a refund and cannot be canceled."),
    N_("The order was partially refunded. Refund the rest before you cancel it."),
    N_("The order was refunded and has no upcoming appointment, so it cannot be canceled."),
    N_("The order was canceled and refunded. Create a new order instead."),
    N_("The order already has an invoice."),
    N_("The order is a draft. Confirm it before you record a payment."),
    N_("The order is a draft and has no payments to refund."),
    N_("The order is canceled and takes no payments."),
    N_("The time slot was booked by another order after this order was canceled."),
    N_("The provider has left since this order was canceled. Create a new order instead."),
    N_("The business has no such active payment method."),
    N_("The application that provides this payment method is no longer installed."),
    N_("requires products that are no longer in stock"),
    N_("requires products that are not in stock"),
    N_("The requested time is in the past."),
    N_("No staff member who performs this service works at the requested time."),
    N_("The staff member has time off at the requested time."),
    N_("The requested time is already booked."),
    N_("Appointments cannot start at this minute."),
    N_("The order is a draft and has no appointment yet. Change the draft, or confirm it first."),
    N_("The order is canceled. Set another status first."),
    N_("The order is completed and cannot be rescheduled."),
    N_("The order has no appointment."),
    N_("does not exist because of a daylight saving time change"),
    N_("Enter a duration from {n} to {n} minutes, in steps of {n}."),
    N_("must be a decimal string such as {n}.{n}"),
    N_("requires an upcoming appointment"),
    N_("requires lines or whole: refunding an amount returns no products"),
)
