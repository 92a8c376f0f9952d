"""Every type of event: what a trigger does for it, or where else it happens."""

from collections.abc import Mapping
from typing import NamedTuple

from frontdesk.developer_tools.triggers import bookings, records
from frontdesk.developer_tools.triggers.stage import Happening
from frontdesk.webhooks.event_types import EventType


class Trigger(NamedTuple):
    does: str
    happen: Happening


TRIGGERS: Mapping[EventType, Trigger] = {
    EventType.ORDER_CREATED: Trigger("creates a customer and books a free slot for them", bookings.create_order),
    EventType.ORDER_STATUS_CHANGED: Trigger("books a free slot and cancels the order", bookings.cancel_order),
    EventType.ORDER_RESCHEDULED: Trigger("books a free slot and moves the order to another", bookings.reschedule_order),
    EventType.ORDER_PAYMENT_STATUS_CHANGED: Trigger("books a free slot and pays the order in cash", bookings.pay_order),
    EventType.TRANSACTION_CREATED: Trigger("books a free slot and pays the order in cash", bookings.pay_order),
    EventType.CUSTOMER_CREATED: Trigger("creates a customer", bookings.create_customer),
    EventType.CUSTOMER_UPDATED: Trigger("creates a customer and writes a note about them", bookings.update_customer),
    EventType.CUSTOMER_DELETED: Trigger("creates a customer twice and merges the two", bookings.merge_customers),
    EventType.ITEM_CREATED: Trigger("creates a service", records.create_item),
    EventType.ITEM_UPDATED: Trigger("creates a service and changes its price", records.update_item),
    EventType.ITEM_DELETED: Trigger("creates a service and deletes it", records.delete_item),
    EventType.ITEM_STOCK_CHANGED: Trigger("creates a product and takes in a delivery", records.move_stock),
    EventType.CATEGORY_CREATED: Trigger("creates a category", records.create_category),
    EventType.CATEGORY_UPDATED: Trigger("creates a category and changes its name", records.update_category),
    EventType.CATEGORY_DELETED: Trigger("creates a category and deletes it", records.delete_category),
    EventType.PACKAGE_CREATED: Trigger("creates a service and a package of it", records.create_package),
    EventType.PACKAGE_UPDATED: Trigger("creates a package and changes its price", records.update_package),
    EventType.PACKAGE_DELETED: Trigger("creates a package and deletes it", records.delete_package),
    EventType.STAFF_CREATED: Trigger("creates a staff member", records.create_staff),
    EventType.STAFF_UPDATED: Trigger("creates a staff member who then performs a service", records.update_staff),
    EventType.WORKING_HOURS_UPDATED: Trigger("creates a staff member and sets their hours", records.set_working_hours),
    EventType.BRANCH_CREATED: Trigger("creates a branch", records.create_branch),
    EventType.BRANCH_UPDATED: Trigger("creates a branch and changes its address", records.update_branch),
    EventType.PAYMENT_METHOD_CREATED: Trigger("creates a payment method", records.create_payment_method),
    EventType.WEBHOOK_PING: Trigger("pings the newest webhook of this client", bookings.ping_webhook),
}
# What people call them.
ALIASES: Mapping[str, EventType] = {
    "order.paid": EventType.ORDER_PAYMENT_STATUS_CHANGED,
    "order.canceled": EventType.ORDER_STATUS_CHANGED,
}
_DASHBOARD = "the dashboard of the sandbox: "
_HOURS = _DASHBOARD + "Staff, a member, Other hours"
_TIME_OFF = _DASHBOARD + "Staff, Time off"
_TAXES = _DASHBOARD + "Settings, Taxes"
_METHODS = _DASHBOARD + "Settings, Payment methods"
_APPLICATIONS = _DASHBOARD + "Settings, Applications"
ELSEWHERE: Mapping[EventType, str] = {
    EventType.ORDER_UPDATED: _DASHBOARD + "an order, Edit; or the till",
    EventType.STAFF_DELETED: _DASHBOARD + "Staff, a member",
    EventType.HOUR_EXCEPTION_CREATED: _HOURS,
    EventType.HOUR_EXCEPTION_UPDATED: _HOURS,
    EventType.HOUR_EXCEPTION_DELETED: _HOURS,
    EventType.TIME_OFF_CREATED: _TIME_OFF,
    EventType.TIME_OFF_UPDATED: _TIME_OFF,
    EventType.TIME_OFF_DELETED: _TIME_OFF,
    EventType.CLOSED_DAYS_UPDATED: _DASHBOARD + "Settings, Closed days",
    EventType.PAYMENT_METHOD_UPDATED: _METHODS,
    EventType.PAYMENT_METHOD_DELETED: _METHODS,
    EventType.TAX_CLASS_CREATED: _TAXES,
    EventType.TAX_CLASS_UPDATED: _TAXES,
    EventType.TAX_CLASS_DELETED: _TAXES,
    EventType.SETTINGS_UPDATED: _DASHBOARD + "Settings, Business",
    EventType.MESSAGE_DUE: _DASHBOARD + "book for a customer, while a webhook subscribes to it",
    EventType.APP_INSTALLED: _APPLICATIONS,
    EventType.APP_SCOPES_CHANGED: _APPLICATIONS,
    EventType.APP_DISCONNECTED: _APPLICATIONS,
}
