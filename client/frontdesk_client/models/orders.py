"""Orders: the parts of a request, and the responses."""

from decimal import Decimal
from uuid import UUID

import msgspec

from frontdesk_client.models.catalog import Branch, BranchReference
from frontdesk_client.models.customers import CustomerDetail
from frontdesk_client.models.payments import BookingReference, Transaction
from frontdesk_client.models.values import (
    ActorType,
    Amount,
    DateTime,
    DiscountKind,
    Id,
    OrderItemType,
    OrderSource,
    OrderStatus,
    PaymentStatus,
    TransactionStatus,
)


class OrderItemCreate(msgspec.Struct, kw_only=True):
    """A line of an order to create."""

    id: Id
    type: OrderItemType
    quantity: int = 1
    staff_id: Id | None = None
    unit_amount: Amount | None = None
    discount_amount: Amount | None = None
    option_id: Id | None = None


class OrderItemReplace(OrderItemCreate, kw_only=True):
    """A line of an order as it shall be. One that stays has its `line_id`."""

    line_id: Id | None = None


class OrderDiscount(msgspec.Struct, kw_only=True):
    """A discount of the whole order."""

    amount: Amount
    type: DiscountKind
    apply_all: bool | None = None


class CustomerLink(msgspec.Struct):
    """An address for the customer, which needs no account."""

    order_id: UUID
    url: str


class OrderOfSeries(msgspec.Struct):
    id: UUID
    order_number: str
    status: OrderStatus
    start: str


class OrderSeries(msgspec.Struct):
    """An appointment that repeats."""

    id: UUID
    every_weeks: int
    orders: list[OrderOfSeries]
    created_at: str


class InlinePayment(msgspec.Struct, kw_only=True):
    """A payment to record together with a new order."""

    amount: Amount
    payment_method_id: Id | None = None
    payment_method_type: str | None = None
    reference_number: str | None = None
    date: DateTime | None = None
    note: str | None = None


class StaffAssignment(msgspec.Struct, kw_only=True):
    """A line to assign to another staff member when an order is rescheduled."""

    line_id: Id
    staff_id: Id | None  # None: any available staff member


class RefundLineCreate(msgspec.Struct, kw_only=True):
    """A line to refund, and how much of it."""

    line_id: Id
    quantity: int


class SoldOption(msgspec.Struct):
    id: UUID
    name: str  # when it was sold


class OrderItem(msgspec.Struct):
    id: UUID
    name: str
    type: OrderItemType
    price: Decimal
    quantity: int
    discount_amount: Decimal
    total: Decimal
    option: SoldOption | None
    staff_id: UUID | None = None  # services only


class OrderItemDetail(OrderItem, kw_only=True):
    line_id: UUID


class OrderCustomer(msgspec.Struct):
    id: UUID
    first_name: str
    last_name: str | None
    phone: str | None


class OrderSummary(msgspec.Struct):
    id: UUID
    order_number: str
    parent_id: UUID | None
    status: OrderStatus
    payment_status: PaymentStatus
    source: OrderSource
    customer: OrderCustomer | None
    branch: BranchReference
    items: list[OrderItem]
    currency: str
    total: Decimal
    discount_amount: Decimal
    created_at: str
    updated_at: str
    external_id: str | None = None  # of the application itself
    metadata: dict[str, str] | None = None  # of the application itself


class OrderTransaction(msgspec.Struct):
    id: UUID
    amount: str  # decimal
    currency: str
    status: TransactionStatus
    reference_number: str | None
    date: str


class CreatedOrder(msgspec.Struct):
    id: UUID
    order_number: str
    status: OrderStatus
    payment_status: PaymentStatus
    currency: str
    total: Decimal
    created_at: str
    transaction: OrderTransaction | None
    external_id: str | None = None  # of the application itself
    metadata: dict[str, str] | None = None  # of the application itself


class ChangedBy(msgspec.Struct):
    type: ActorType
    id: UUID | None


class OrderStatusChange(msgspec.Struct):
    from_: OrderStatus | None = msgspec.field(name="from")
    to: OrderStatus
    note: str | None
    previous_start: str | None
    new_start: str | None
    changed_by: ChangedBy
    created_at: str


class OrderDetail(msgspec.Struct):
    id: UUID
    order_number: str
    parent_id: UUID | None
    status: OrderStatus
    payment_status: PaymentStatus
    source: OrderSource
    customer: CustomerDetail | None
    branch: Branch
    items: list[OrderItemDetail]
    currency: str
    total: Decimal
    discount_amount: Decimal
    tax_amount: Decimal
    paid_amount: Decimal
    refunded_amount: Decimal
    remaining_amount: Decimal
    start: str | None
    note: str | None
    refund_ids: list[UUID]
    bookings: list[BookingReference]
    status_history: list[OrderStatusChange]
    transactions: list[Transaction]
    created_at: str
    updated_at: str
    external_id: str | None = None  # of the application itself
    metadata: dict[str, str] | None = None  # of the application itself
