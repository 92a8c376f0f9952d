"""Labels of orders, and error messages of frontdesk/orders, listed here for translation."""

from frontdesk.i18n.texts import N_
from frontdesk.orders.bulk import BulkAct
from frontdesk.orders.types import Source, Status
from frontdesk.ui.components.order_list_queries import OrderSort

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
