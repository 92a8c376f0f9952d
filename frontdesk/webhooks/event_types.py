"""The event types, and the scope that each of them requires."""

from collections.abc import Collection, Mapping
from enum import StrEnum

from frontdesk.auth.scopes import Scope


class EventType(StrEnum):
    ORDER_CREATED = "order.created"
    ORDER_STATUS_CHANGED = "order.status_changed"
    ORDER_RESCHEDULED = "order.rescheduled"
    ORDER_UPDATED = "order.updated"
    ORDER_PAYMENT_STATUS_CHANGED = "order.payment_status_changed"
    TRANSACTION_CREATED = "transaction.created"
    CUSTOMER_CREATED = "customer.created"
    CUSTOMER_UPDATED = "customer.updated"
    ITEM_STOCK_CHANGED = "item.stock_changed"
    MESSAGE_DUE = "message.due"
    APP_INSTALLED = "app.installed"
    APP_SCOPES_CHANGED = "app.scopes_changed"
    APP_DISCONNECTED = "app.disconnected"
    WEBHOOK_PING = "webhook.ping"


# Events about the application or the webhook itself require no scope. event_read_scopes.sql has the same rules.
# A message names the customer and says what is in the order.
READ_SCOPES: Mapping[EventType, tuple[Scope, ...]] = {
    EventType.ORDER_CREATED: (Scope.ORDERS_READ,),
    EventType.ORDER_STATUS_CHANGED: (Scope.ORDERS_READ,),
    EventType.ORDER_RESCHEDULED: (Scope.ORDERS_READ,),
    EventType.ORDER_UPDATED: (Scope.ORDERS_READ,),
    EventType.ORDER_PAYMENT_STATUS_CHANGED: (Scope.ORDERS_READ,),
    EventType.TRANSACTION_CREATED: (Scope.TRANSACTIONS_READ,),
    EventType.CUSTOMER_CREATED: (Scope.CUSTOMERS_READ,),
    EventType.CUSTOMER_UPDATED: (Scope.CUSTOMERS_READ,),
    EventType.ITEM_STOCK_CHANGED: (Scope.ITEMS_READ,),
    EventType.MESSAGE_DUE: (Scope.CUSTOMERS_READ, Scope.ORDERS_READ),
    EventType.APP_INSTALLED: (),
    EventType.APP_SCOPES_CHANGED: (),
    EventType.APP_DISCONNECTED: (),
    EventType.WEBHOOK_PING: (),
}


def readable_event_types(scopes: Collection[str]) -> list[EventType]:
    """The event types that a client with these scopes may receive."""
    return [kind for kind, needed in READ_SCOPES.items() if all(scope in scopes for scope in needed)]
