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
    CUSTOMER_DELETED = "customer.deleted"
    ITEM_STOCK_CHANGED = "item.stock_changed"
    ITEM_CREATED = "item.created"
    ITEM_UPDATED = "item.updated"
    ITEM_DELETED = "item.deleted"
    CATEGORY_CREATED = "category.created"
    CATEGORY_UPDATED = "category.updated"
    CATEGORY_DELETED = "category.deleted"
    PACKAGE_CREATED = "package.created"
    PACKAGE_UPDATED = "package.updated"
    PACKAGE_DELETED = "package.deleted"
    STAFF_CREATED = "staff.created"
    STAFF_UPDATED = "staff.updated"
    STAFF_DELETED = "staff.deleted"
    WORKING_HOURS_UPDATED = "working_hours.updated"
    HOUR_EXCEPTION_CREATED = "hour_exception.created"
    HOUR_EXCEPTION_UPDATED = "hour_exception.updated"
    HOUR_EXCEPTION_DELETED = "hour_exception.deleted"
    TIME_OFF_CREATED = "time_off.created"
    TIME_OFF_UPDATED = "time_off.updated"
    TIME_OFF_DELETED = "time_off.deleted"
    CLOSED_DAYS_UPDATED = "closed_days.updated"
    BRANCH_CREATED = "branch.created"
    BRANCH_UPDATED = "branch.updated"
    PAYMENT_METHOD_CREATED = "payment_method.created"
    PAYMENT_METHOD_UPDATED = "payment_method.updated"
    PAYMENT_METHOD_DELETED = "payment_method.deleted"
    TAX_CLASS_CREATED = "tax_class.created"
    TAX_CLASS_UPDATED = "tax_class.updated"
    TAX_CLASS_DELETED = "tax_class.deleted"
    SETTINGS_UPDATED = "settings.updated"
    BOOKING_PAGE_UPDATED = "booking_page.updated"
    DRAWER_SETTINGS_UPDATED = "drawer_settings.updated"
    MESSAGE_SETTINGS_UPDATED = "message_settings.updated"
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
    EventType.CUSTOMER_DELETED: (Scope.CUSTOMERS_READ,),
    EventType.ITEM_STOCK_CHANGED: (Scope.ITEMS_READ,),
    EventType.ITEM_CREATED: (Scope.ITEMS_READ,),
    EventType.ITEM_UPDATED: (Scope.ITEMS_READ,),
    EventType.ITEM_DELETED: (Scope.ITEMS_READ,),
    EventType.CATEGORY_CREATED: (Scope.CATEGORIES_READ,),
    EventType.CATEGORY_UPDATED: (Scope.CATEGORIES_READ,),
    EventType.CATEGORY_DELETED: (Scope.CATEGORIES_READ,),
    EventType.PACKAGE_CREATED: (Scope.ITEMS_READ,),
    EventType.PACKAGE_UPDATED: (Scope.ITEMS_READ,),
    EventType.PACKAGE_DELETED: (Scope.ITEMS_READ,),
    EventType.STAFF_CREATED: (Scope.STAFF_READ,),
    EventType.STAFF_UPDATED: (Scope.STAFF_READ,),
    EventType.STAFF_DELETED: (Scope.STAFF_READ,),
    EventType.WORKING_HOURS_UPDATED: (Scope.STAFF_READ,),
    EventType.HOUR_EXCEPTION_CREATED: (Scope.STAFF_READ,),
    EventType.HOUR_EXCEPTION_UPDATED: (Scope.STAFF_READ,),
    EventType.HOUR_EXCEPTION_DELETED: (Scope.STAFF_READ,),
    EventType.TIME_OFF_CREATED: (Scope.STAFF_READ,),
    EventType.TIME_OFF_UPDATED: (Scope.STAFF_READ,),
    EventType.TIME_OFF_DELETED: (Scope.STAFF_READ,),
    EventType.CLOSED_DAYS_UPDATED: (Scope.BRANCHES_READ,),
    EventType.BRANCH_CREATED: (Scope.BRANCHES_READ,),
    EventType.BRANCH_UPDATED: (Scope.BRANCHES_READ,),
    EventType.PAYMENT_METHOD_CREATED: (Scope.PAYMENT_METHODS_READ,),
    EventType.PAYMENT_METHOD_UPDATED: (Scope.PAYMENT_METHODS_READ,),
    EventType.PAYMENT_METHOD_DELETED: (Scope.PAYMENT_METHODS_READ,),
    EventType.TAX_CLASS_CREATED: (Scope.ITEMS_READ,),
    EventType.TAX_CLASS_UPDATED: (Scope.ITEMS_READ,),
    EventType.TAX_CLASS_DELETED: (Scope.ITEMS_READ,),
    EventType.SETTINGS_UPDATED: (Scope.BRANCHES_READ,),
    EventType.BOOKING_PAGE_UPDATED: (Scope.BRANCHES_READ,),
    EventType.DRAWER_SETTINGS_UPDATED: (Scope.BRANCHES_READ,),
    EventType.MESSAGE_SETTINGS_UPDATED: (Scope.BRANCHES_READ,),
    EventType.MESSAGE_DUE: (Scope.CUSTOMERS_READ, Scope.ORDERS_READ),
    EventType.APP_INSTALLED: (),
    EventType.APP_SCOPES_CHANGED: (),
    EventType.APP_DISCONNECTED: (),
    EventType.WEBHOOK_PING: (),
}


def readable_event_types(scopes: Collection[str]) -> list[EventType]:
    """The event types that a client with these scopes may receive."""
    return [kind for kind, needed in READ_SCOPES.items() if all(scope in scopes for scope in needed)]
