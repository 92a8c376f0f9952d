"""Types of single values.

A `Literal | str` type names the known values. A newer server may send others, so code needs a branch for them.
"""

import datetime as dt
from decimal import Decimal
from typing import Literal
from uuid import UUID

Id = UUID | str
Amount = Decimal | int
Date = dt.date | str
DateTime = dt.datetime | str  # without a UTC offset: the business's local time
Localized = dict[str, str]  # texts by language code

ItemType = Literal["service", "product"] | str
OrderItemType = Literal["service", "product", "package"] | str
CustomerType = Literal["individual", "company"] | str
MergedField = Literal["name", "phone", "email", "type", "city", "address", "tax_registration_number"] | str
OrderStatus = Literal["draft", "confirmed", "in-progress", "completed", "canceled"] | str
SettableOrderStatus = Literal["confirmed", "in-progress", "completed", "canceled"] | str
OrderSource = Literal["api", "pos", "dashboard", "online"] | str
PaymentStatus = Literal["unpaid", "partially_paid", "paid", "partially_refunded", "refunded"] | str
TransactionStatus = Literal["pending", "confirmed", "refused", "canceled", "refunded"] | str
CreatablePaymentMethodType = Literal["cash", "other"] | str
Weekday = Literal["sun", "mon", "tue", "wed", "thu", "fri", "sat"] | str
WorkingHourSource = Literal["staff", "branch"] | str
PartOfDay = Literal["any", "morning", "afternoon", "evening"] | str
TimeOffStatus = Literal["requested", "approved", "declined"] | str
AddedTimeOffStatus = Literal["requested", "approved"] | str
StockReason = Literal["delivery", "correction", "loss", "opening", "uncounted"] | str
ActorType = Literal["app", "user", "system"] | str
DiscountKind = Literal["percentage", "fixed"] | str
ProviderRule = Literal["requested", "only", "least_booked", "cheapest", "on_purpose"] | str
TraceStepKind = (
    Literal[
        "catalog",
        "offer",
        "option",
        "option_offer",
        "provider",
        "tax_on_top",
        "given",
        "not_recorded",
        "quantity",
        "line_discount",
        "discount_share",
    ]
    | str
)
ExportStatus = Literal["queued", "running", "done", "failed"] | str
DeletedResource = (
    Literal[
        "customer",
        "item",
        "category",
        "package",
        "staff",
        "hour_exception",
        "time_off",
        "waiting_list_entry",
        "payment_method",
        "tax_class",
    ]
    | str
)
ExportedResource = (
    Literal[
        "settings",
        "booking_page",
        "message_settings",
        "branches",
        "drawer_settings",
        "tax_classes",
        "categories",
        "items",
        "packages",
        "staff",
        "working_hours",
        "hour_exceptions",
        "closed_days",
        "time_off",
        "payment_methods",
        "customers",
        "waiting_list",
        "orders",
        "transactions",
    ]
    | str
)
WebhookPayload = Literal["full", "thin"] | str
DeliveryState = Literal["due", "delivered", "dead"] | str
EventType = (
    Literal[
        "order.created",
        "order.status_changed",
        "order.rescheduled",
        "order.updated",
        "order.payment_status_changed",
        "transaction.created",
        "customer.created",
        "customer.updated",
        "customer.deleted",
        "item.stock_changed",
        "item.created",
        "item.updated",
        "item.deleted",
        "category.created",
        "category.updated",
        "category.deleted",
        "package.created",
        "package.updated",
        "package.deleted",
        "staff.created",
        "staff.updated",
        "staff.deleted",
        "working_hours.updated",
        "hour_exception.created",
        "hour_exception.updated",
        "hour_exception.deleted",
        "time_off.created",
        "time_off.updated",
        "time_off.deleted",
        "closed_days.updated",
        "branch.created",
        "branch.updated",
        "payment_method.created",
        "payment_method.updated",
        "payment_method.deleted",
        "tax_class.created",
        "tax_class.updated",
        "tax_class.deleted",
        "settings.updated",
        "booking_page.updated",
        "drawer_settings.updated",
        "message_settings.updated",
        "message.due",
        "app.installed",
        "app.scopes_changed",
        "app.disconnected",
        "webhook.ping",
    ]
    | str
)
