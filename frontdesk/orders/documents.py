"""The published forms of orders and transactions."""

from decimal import Decimal
from typing import Literal
from uuid import UUID

import msgspec
from msgspec import UNSET, UnsetType

from frontdesk.customers.documents import CustomerDetail
from frontdesk.orders.types import Source, Status
from frontdesk.payments.types import TransactionStatus
from frontdesk.tenants.documents import Branch, BranchReference
from frontdesk.values.api_types import Amount, Currency, LocalDateTime, Localized, NumberString, Timestamp, Url
from frontdesk.webhooks.payloads import ChangedBy

PaymentStatus = Literal["unpaid", "partially_paid", "paid", "partially_refunded", "refunded"]


class SoldOption(msgspec.Struct):
    """The option that was sold, with its name of that time."""

    id: UUID
    name: str


class OrderItem(msgspec.Struct):
    id: UUID
    name: str
    type: Literal["service", "product", "package"]
    price: Decimal
    quantity: int
    discount_amount: Decimal
    total: Decimal
    option: SoldOption | None
    staff_id: UUID | UnsetType | None = UNSET


class OrderItemDetail(OrderItem, kw_only=True):
    line_id: UUID  # names the line in a refund or when the order is rescheduled


class OrderCustomer(msgspec.Struct):
    id: UUID
    first_name: str
    last_name: str | None
    phone: str | None


class ListedOrder(msgspec.Struct):
    id: UUID
    order_number: NumberString
    parent_id: UUID | None
    status: Status
    payment_status: PaymentStatus
    source: Source
    customer: OrderCustomer | None
    branch: BranchReference
    items: list[OrderItem]
    currency: Currency
    total: Decimal
    discount_amount: Decimal
    created_at: Timestamp
    updated_at: Timestamp


class OrderSummary(ListedOrder):
    external_id: str | UnsetType | None = UNSET  # the fields of the application that asks
    metadata: dict[str, str] | UnsetType = UNSET


class OrderTransaction(msgspec.Struct):
    """The transaction of an inline payment."""

    id: UUID
    amount: Amount
    currency: Currency
    status: TransactionStatus
    reference_number: str | None
    date: LocalDateTime


class PaymentMethodReference(msgspec.Struct):
    id: UUID
    name: Localized
    slug: str


class OrderReference(msgspec.Struct):
    id: UUID
    order_number: int


class BookingReference(msgspec.Struct):
    id: UUID
    reference: str
    start: LocalDateTime
    end: LocalDateTime
    status: Status
    service_id: UUID
    staff_id: UUID


class Transaction(msgspec.Struct):
    id: UUID
    transaction_no: int
    amount: Amount
    currency: Currency
    status: TransactionStatus
    is_deposit: bool
    note: str | None
    reference_number: str | None
    date: LocalDateTime
    payment_method: PaymentMethodReference
    order: OrderReference
    booking: BookingReference | None
    created_at: Timestamp
    updated_at: Timestamp


class OrderStatusChange(msgspec.Struct):
    from_: Status | None = msgspec.field(name="from")
    to: Status
    note: str | None
    previous_start: LocalDateTime | None
    new_start: LocalDateTime | None
    changed_by: ChangedBy
    created_at: Timestamp


class CustomerLink(msgspec.Struct):
    order_id: UUID
    url: Url


class OrderDetail(msgspec.Struct):
    id: UUID
    order_number: NumberString
    parent_id: UUID | None
    status: Status
    payment_status: PaymentStatus
    source: Source
    customer: CustomerDetail | None
    branch: Branch
    items: list[OrderItemDetail]
    currency: Currency
    total: Decimal
    discount_amount: Decimal
    tax_amount: Decimal
    paid_amount: Decimal
    refunded_amount: Decimal
    remaining_amount: Decimal
    start: LocalDateTime | None
    note: str | None
    refund_ids: list[UUID]
    bookings: list[BookingReference]
    status_history: list[OrderStatusChange]
    transactions: list[Transaction]
    created_at: Timestamp
    updated_at: Timestamp
    external_id: str | UnsetType | None = UNSET  # the fields of the application that asks
    metadata: dict[str, str] | UnsetType = UNSET


class PlacedOrder(msgspec.Struct):
    id: UUID
    order_number: NumberString
    status: Status
    payment_status: PaymentStatus
    currency: Currency
    total: Decimal
    created_at: Timestamp
    transaction: OrderTransaction | None


class CreatedOrder(PlacedOrder):
    external_id: str | UnsetType | None = UNSET
    metadata: dict[str, str] | UnsetType = UNSET


class PosOrder(PlacedOrder):
    """An order with everything its receipt shows."""

    sub_total: Decimal
    discount_amount: Decimal
    tax_amount: Decimal
    paid_amount: Decimal
    remaining_amount: Decimal
    change_due: Decimal
    cashier: str | None
    items: list[OrderItemDetail]
    transactions: list[Transaction]


class PosOrderSummary(ListedOrder):
    start: LocalDateTime | None
    cashier: str | None


class PosOrderDetail(PosOrder):
    """An order with everything its receipt shows, its customer and its refunds."""

    parent_id: UUID | None
    source: Source
    customer: OrderCustomer | None
    branch: BranchReference
    start: LocalDateTime | None
    note: str | None
    refund_ids: list[UUID]
    updated_at: Timestamp
