"""Every type of event: what a trigger does for it, or why none does."""

from collections.abc import Mapping
from typing import NamedTuple

from frontdesk.developer_tools.triggers import bookings, days, records
from frontdesk.developer_tools.triggers.stage import Happening
from frontdesk.webhooks.event_types import EventType


class Trigger(NamedTuple):
    does: str
    happen: Happening


TRIGGERS: Mapping[EventType, Trigger] = {
    EventType.ORDER_CREATED: Trigger("creates a customer and books a free slot for them", bookings.create_order),
    EventType.ORDER_STATUS_CHANGED: Trigger("books a free slot and cancels the order", bookings.cancel_order),
    EventType.ORDER_RESCHEDULED: Trigger("books a free slot and moves the order to another", bookings.reschedule_order),
    EventType.ORDER_UPDATED: Trigger("books a free slot and gives a discount on the order", bookings.edit_order),
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
    EventType.HOUR_EXCEPTION_CREATED: Trigger("gives a new staff member other hours on a day", days.add_other_hours),
    EventType.HOUR_EXCEPTION_UPDATED: Trigger("changes the other hours of a new staff member", days.change_other_hours),
    EventType.HOUR_EXCEPTION_DELETED: Trigger("deletes the other hours of a new staff member", days.delete_other_hours),
    EventType.TIME_OFF_CREATED: Trigger("adds time off of a new staff member", days.add_time_off),
    EventType.TIME_OFF_UPDATED: Trigger(
        "asks for time off of a new staff member and approves it", days.approve_time_off
    ),
    EventType.TIME_OFF_DELETED: Trigger("adds time off of a new staff member and deletes it", days.delete_time_off),
    EventType.CLOSED_DAYS_UPDATED: Trigger("creates a branch and closes it on a day", days.close_a_day),
    EventType.BRANCH_CREATED: Trigger("creates a branch", records.create_branch),
    EventType.BRANCH_UPDATED: Trigger("creates a branch and changes its address", records.update_branch),
    EventType.PAYMENT_METHOD_CREATED: Trigger("creates a payment method", records.create_payment_method),
    EventType.PAYMENT_METHOD_UPDATED: Trigger("creates a payment method and renames it", records.update_payment_method),
    EventType.PAYMENT_METHOD_DELETED: Trigger("creates a payment method and deletes it", records.delete_payment_method),
    EventType.TAX_CLASS_CREATED: Trigger("creates a tax class", records.create_tax_class),
    EventType.TAX_CLASS_UPDATED: Trigger("creates a tax class and renames it", records.update_tax_class),
    EventType.TAX_CLASS_DELETED: Trigger("creates a tax class and deletes it", records.delete_tax_class),
    EventType.SETTINGS_UPDATED: Trigger("changes the note on invoices", records.update_settings),
    EventType.BOOKING_PAGE_UPDATED: Trigger("changes the text of the booking page", records.update_booking_page),
    EventType.DRAWER_SETTINGS_UPDATED: Trigger("changes whether cash is counted blind", records.update_drawers),
    EventType.MESSAGE_SETTINGS_UPDATED: Trigger("changes when reminders are sent", records.update_messages),
    EventType.WEBHOOK_PING: Trigger("pings the newest webhook of this client", bookings.ping_webhook),
}
# What people call them.
ALIASES: Mapping[str, EventType] = {
    "order.paid": EventType.ORDER_PAYMENT_STATUS_CHANGED,
    "order.canceled": EventType.ORDER_STATUS_CHANGED,
}
_PEOPLE = "only people decide about applications: the dashboard of the sandbox, Settings, Applications"
ELSEWHERE: Mapping[EventType, str] = {
    EventType.STAFF_DELETED: "who leaves stays in the records: only undoing an import in the dashboard deletes people",
    EventType.MESSAGE_DUE: "the service sends it in its time: subscribe a webhook to it, then book for a customer",
    EventType.APP_INSTALLED: _PEOPLE,
    EventType.APP_SCOPES_CHANGED: _PEOPLE,
    EventType.APP_DISCONNECTED: _PEOPLE,
}
