"""Labels of event types."""

from frontdesk.i18n.texts import N_
from frontdesk.webhooks.event_types import EventType

EVENT_TYPE_LABELS = {
    EventType.ORDER_CREATED: N_("An order was placed."),
    EventType.ORDER_STATUS_CHANGED: N_("An order moved to another status."),
    EventType.ORDER_RESCHEDULED: N_("An appointment was moved."),
    EventType.ORDER_UPDATED: N_("The lines of an order were changed."),
    EventType.ORDER_PAYMENT_STATUS_CHANGED: N_("An order was paid, partly paid or refunded."),
    EventType.TRANSACTION_CREATED: N_("A payment or refund was recorded."),
    EventType.CUSTOMER_CREATED: N_("A customer was added."),
    EventType.CUSTOMER_UPDATED: N_("A customer was changed."),
    EventType.ITEM_STOCK_CHANGED: N_("The stock of a product went up or down."),
    EventType.MESSAGE_DUE: N_("A message to a customer is about to be sent."),
    EventType.APP_INSTALLED: N_("An application was installed."),
    EventType.APP_SCOPES_CHANGED: N_("What an application may do has changed."),
    EventType.APP_DISCONNECTED: N_("An application was disconnected."),
    EventType.WEBHOOK_PING: N_("A ping, to test whether the endpoint responds."),
}
