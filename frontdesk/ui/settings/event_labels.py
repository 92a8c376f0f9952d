"""What each kind of event tells, in plain words."""

from frontdesk.ui.shell.i18n import mark
from frontdesk.webhooks.event_types import Kind

KIND_WORDS = {
    Kind.ORDER_CREATED: mark("An order was placed."),
    Kind.ORDER_STATUS_CHANGED: mark("An order moved to another status."),
    Kind.ORDER_RESCHEDULED: mark("An appointment was moved."),
    Kind.ORDER_PAYMENT_STATUS_CHANGED: mark("An order was paid, partly paid or refunded."),
    Kind.TRANSACTION_CREATED: mark("A payment or refund was recorded."),
    Kind.CUSTOMER_CREATED: mark("A customer was added."),
    Kind.CUSTOMER_UPDATED: mark("A customer was changed."),
    Kind.ITEM_STOCK_CHANGED: mark("The stock of a product went up or down."),
    Kind.APP_INSTALLED: mark("An application was let in."),
    Kind.APP_SCOPES_CHANGED: mark("What an application may do has changed."),
    Kind.APP_DISCONNECTED: mark("An application was disconnected."),
    Kind.WEBHOOK_PING: mark("A ping, to see whether the endpoint answers."),
}

# Why an endpoint is off, as the deliverer and the acts write it down; with numbers taken out.
REASONS = (
    mark("Switched off by hand."),
    mark("Its application does not ask for events any more."),
    mark("The receiver answered {n} Gone."),
    mark("Nothing has arrived for {n} days."),
)
