"""What is in the events: the form of `data`, by type."""

from typing import Any
from uuid import UUID

import msgspec
from msgspec import UNSET, UnsetType

from frontdesk.booking_page.documents import PublishedBookingPage
from frontdesk.catalog.documents import Category, ItemDetail, Package
from frontdesk.customers.documents import CustomerDetail, TagReference
from frontdesk.customers.types import CustomerType
from frontdesk.day_close.drawer_settings_documents import PublishedDrawerSettings
from frontdesk.messages.documents import PublishedMessageSettings
from frontdesk.orders.documents import OrderDetail, Transaction
from frontdesk.payments.documents import PaymentMethod
from frontdesk.staff.documents import ClosedDays, HourException, StaffMember, TimeOff, WorkingHour
from frontdesk.tenants.documents import Branch, PublishedSettings, TaxClass
from frontdesk.values.api_types import Email, Timestamp
from frontdesk.webhooks.event_types import EventType
from frontdesk.webhooks.payloads import (
    AppEventData,
    AppScopesChangedData,
    CustomerDeletedData,
    CustomerEventData,
    CustomerUpdatedData,
    ItemStockChangedData,
    MessageDueData,
    OrderCreatedData,
    OrderPaymentStatusChangedData,
    OrderRescheduledData,
    OrderStatusChangedData,
    OrderUpdatedData,
    TransactionCreatedData,
    WebhookPingData,
)
from frontdesk.webhooks.record_payloads import (
    BookingPageUpdatedData,
    BranchEventData,
    BranchUpdatedData,
    CategoryEventData,
    CategoryUpdatedData,
    ClosedDaysUpdatedData,
    DrawerSettingsUpdatedData,
    HourExceptionEventData,
    HourExceptionUpdatedData,
    ItemEventData,
    ItemUpdatedData,
    MessageSettingsUpdatedData,
    PackageEventData,
    PackageUpdatedData,
    PaymentMethodEventData,
    PaymentMethodUpdatedData,
    SettingsUpdatedData,
    StaffEventData,
    StaffUpdatedData,
    TaxClassEventData,
    TaxClassUpdatedData,
    TimeOffEventData,
    TimeOffUpdatedData,
    WorkingHoursUpdatedData,
)


class EventCustomer(msgspec.Struct):
    """Customer of the order. Contact fields are present only if the client has the scope `customers:read`."""

    id: UUID
    first_name: str
    last_name: str | None
    type: CustomerType
    blocked: bool
    tags: list[TagReference]
    created_at: Timestamp
    updated_at: Timestamp
    email: Email | UnsetType | None = UNSET
    phone: str | UnsetType | None = UNSET
    city: str | UnsetType | None = UNSET
    address: str | UnsetType | None = UNSET
    note: str | UnsetType | None = UNSET
    tax_registration_number: str | UnsetType | None = UNSET


class EventOrder(OrderDetail, kw_only=True):
    """The order as returned by `GET /orders/{uuid}`, with contact fields according to the client's scopes.

    Without `external_id` and `metadata`, which are each application's own.
    """

    customer: EventCustomer | None  # type: ignore[assignment]


DATA: dict[EventType, Any] = {
    EventType.ORDER_CREATED: OrderCreatedData[EventOrder],
    EventType.ORDER_STATUS_CHANGED: OrderStatusChangedData[EventOrder],
    EventType.ORDER_RESCHEDULED: OrderRescheduledData[EventOrder],
    EventType.ORDER_UPDATED: OrderUpdatedData[EventOrder],
    EventType.ORDER_PAYMENT_STATUS_CHANGED: OrderPaymentStatusChangedData[EventOrder],
    EventType.TRANSACTION_CREATED: TransactionCreatedData[Transaction],
    EventType.CUSTOMER_CREATED: CustomerEventData[CustomerDetail],
    EventType.CUSTOMER_UPDATED: CustomerUpdatedData[CustomerDetail],
    EventType.CUSTOMER_DELETED: CustomerDeletedData[CustomerDetail],
    EventType.ITEM_STOCK_CHANGED: ItemStockChangedData,
    EventType.ITEM_CREATED: ItemEventData[ItemDetail],
    EventType.ITEM_UPDATED: ItemUpdatedData[ItemDetail],
    EventType.ITEM_DELETED: ItemEventData[ItemDetail],
    EventType.CATEGORY_CREATED: CategoryEventData[Category],
    EventType.CATEGORY_UPDATED: CategoryUpdatedData[Category],
    EventType.CATEGORY_DELETED: CategoryEventData[Category],
    EventType.PACKAGE_CREATED: PackageEventData[Package],
    EventType.PACKAGE_UPDATED: PackageUpdatedData[Package],
    EventType.PACKAGE_DELETED: PackageEventData[Package],
    EventType.STAFF_CREATED: StaffEventData[StaffMember],
    EventType.STAFF_UPDATED: StaffUpdatedData[StaffMember],
    EventType.STAFF_DELETED: StaffEventData[StaffMember],
    EventType.WORKING_HOURS_UPDATED: WorkingHoursUpdatedData[WorkingHour],
    EventType.HOUR_EXCEPTION_CREATED: HourExceptionEventData[HourException],
    EventType.HOUR_EXCEPTION_UPDATED: HourExceptionUpdatedData[HourException],
    EventType.HOUR_EXCEPTION_DELETED: HourExceptionEventData[HourException],
    EventType.TIME_OFF_CREATED: TimeOffEventData[TimeOff],
    EventType.TIME_OFF_UPDATED: TimeOffUpdatedData[TimeOff],
    EventType.TIME_OFF_DELETED: TimeOffEventData[TimeOff],
    EventType.CLOSED_DAYS_UPDATED: ClosedDaysUpdatedData[ClosedDays],
    EventType.BRANCH_CREATED: BranchEventData[Branch],
    EventType.BRANCH_UPDATED: BranchUpdatedData[Branch],
    EventType.PAYMENT_METHOD_CREATED: PaymentMethodEventData[PaymentMethod],
    EventType.PAYMENT_METHOD_UPDATED: PaymentMethodUpdatedData[PaymentMethod],
    EventType.PAYMENT_METHOD_DELETED: PaymentMethodEventData[PaymentMethod],
    EventType.TAX_CLASS_CREATED: TaxClassEventData[TaxClass],
    EventType.TAX_CLASS_UPDATED: TaxClassUpdatedData[TaxClass],
    EventType.TAX_CLASS_DELETED: TaxClassEventData[TaxClass],
    EventType.SETTINGS_UPDATED: SettingsUpdatedData[PublishedSettings],
    EventType.BOOKING_PAGE_UPDATED: BookingPageUpdatedData[PublishedBookingPage],
    EventType.DRAWER_SETTINGS_UPDATED: DrawerSettingsUpdatedData[PublishedDrawerSettings],
    EventType.MESSAGE_SETTINGS_UPDATED: MessageSettingsUpdatedData[PublishedMessageSettings],
    EventType.MESSAGE_DUE: MessageDueData,
    EventType.APP_INSTALLED: AppEventData,
    EventType.APP_SCOPES_CHANGED: AppScopesChangedData,
    EventType.APP_DISCONNECTED: AppEventData,
    EventType.WEBHOOK_PING: WebhookPingData,
}
