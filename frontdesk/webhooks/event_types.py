"""The kinds of events, and the scope that reading each of them takes."""

from collections.abc import Collection, Mapping
from enum import StrEnum

from frontdesk.auth.scopes import Scope


class Kind(StrEnum):
    ORDER_CREATED = "order.created"
    ORDER_STATUS_CHANGED = "order.status_changed"
    ORDER_RESCHEDULED = "order.rescheduled"
    ORDER_PAYMENT_STATUS_CHANGED = "order.payment_status_changed"
    TRANSACTION_CREATED = "transaction.created"
    CUSTOMER_CREATED = "customer.created"
    CUSTOMER_UPDATED = "customer.updated"
    ITEM_STOCK_CHANGED = "item.stock_changed"
    APP_INSTALLED = "app.installed"
    APP_SCOPES_CHANGED = "app.scopes_changed"
    APP_DISCONNECTED = "app.disconnected"
    WEBHOOK_PING = "webhook.ping"


# What tells of the application or the webhook itself takes no scope.
READ_SCOPE: Mapping[Kind, Scope | None] = {
    Kind.ORDER_CREATED: Scope.ORDERS_READ,
    Kind.ORDER_STATUS_CHANGED: Scope.ORDERS_READ,
    Kind.ORDER_RESCHEDULED: Scope.ORDERS_READ,
    Kind.ORDER_PAYMENT_STATUS_CHANGED: Scope.ORDERS_READ,
    Kind.TRANSACTION_CREATED: Scope.TRANSACTIONS_READ,
    Kind.CUSTOMER_CREATED: Scope.CUSTOMERS_READ,
    Kind.CUSTOMER_UPDATED: Scope.CUSTOMERS_READ,
    Kind.ITEM_STOCK_CHANGED: Scope.ITEMS_READ,
    Kind.APP_INSTALLED: None,
    Kind.APP_SCOPES_CHANGED: None,
    Kind.APP_DISCONNECTED: None,
    Kind.WEBHOOK_PING: None,
}


def readable_kinds(scopes: Collection[str]) -> list[Kind]:
    """What a receiver with these scopes may be told."""
    return [kind for kind, scope in READ_SCOPE.items() if scope is None or scope in scopes]
