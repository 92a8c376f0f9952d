"""The published forms of orders and transactions: the types, and the SQL that writes them.

In every statement that uses these, `o` is the order and `t` a transaction. The functions take the SQL for the
currency's decimals and the tenant's time zone, because these differ between statements.
"""

from decimal import Decimal
from functools import cache
from typing import Literal, NamedTuple
from uuid import UUID

import msgspec
from msgspec import UNSET, UnsetType

from frontdesk.customers.documents import CustomerDetail
from frontdesk.orders.types import Source, Status
from frontdesk.payments.types import TransactionStatus
from frontdesk.tenants.documents import Branch, BranchReference
from frontdesk.values.api_types import Amount, Currency, LocalDateTime, Localized, NumberString, Timestamp
from frontdesk.webhooks.payloads import ChangedBy


class LocalTimeFormat(NamedTuple):
    """Formats timestamps in the time zone that the given SQL returns."""

    zone: str

    def text(self, moment: str) -> str:
        """The same as the database function `format_local`, inlined, because a call costs three times as much."""
        return f"""(SELECT to_char({moment} AT TIME ZONE 'UTC' + z.shift, z.form) FROM time_zone_offsets z
            WHERE z.zone = {self.zone} AND z.starts <= {moment} ORDER BY z.starts DESC LIMIT 1)"""


PaymentStatus = Literal["unpaid", "partially_paid", "paid", "partially_refunded", "refunded"]


class OrderItem(msgspec.Struct):
    id: UUID
    name: str
    type: Literal["service", "product", "package"]
    price: Decimal
    quantity: int
    discount_amount: Decimal
    total: Decimal
    staff_id: UUID | UnsetType | None = UNSET


class OrderItemDetail(OrderItem, kw_only=True):
    line_id: UUID  # names the line in a refund or when the order is rescheduled


class OrderCustomer(msgspec.Struct):
    id: UUID
    first_name: str
    last_name: str | None
    phone: str | None


class OrderSummary(msgspec.Struct):
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


class CreatedOrder(msgspec.Struct):
    id: UUID
    order_number: NumberString
    status: Status
    payment_status: PaymentStatus
    currency: Currency
    total: Decimal
    created_at: Timestamp
    transaction: OrderTransaction | None


class PosOrder(CreatedOrder):
    """An order with everything its receipt shows."""

    sub_total: Decimal
    discount_amount: Decimal
    paid_amount: Decimal
    remaining_amount: Decimal
    change_due: Decimal
    cashier: str | None
    items: list[OrderItemDetail]
    transactions: list[Transaction]


class PosOrderSummary(OrderSummary):
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


_CUSTOMER = """CASE WHEN c.id IS NOT NULL THEN json_build_object(
            'id', c.id, 'first_name', c.first_name, 'last_name', c.last_name, 'phone', c.phone) END"""


@cache
def order_list_item(decimals: str, local_time: LocalTimeFormat | None = None) -> str:
    """`c` is the customer, if any, and `b` the branch. With `local_time` it has the further fields of the POS API."""
    more = f", 'start', {local_time.text('o.starts_at')}, 'cashier', o.cashier" if local_time else ""
    return f"""json_build_object(
        'id', o.id, 'order_number', o.order_number::text, 'parent_id', o.parent_id, 'status', o.status,
        'payment_status', o.payment_status, 'source', o.source,
        'customer', {_CUSTOMER},
        'branch', json_build_object('id', b.id, 'name', b.name), 'items', o.list_items,
        'currency', o.currency, 'total', round(o.total, {decimals}),
        'discount_amount', round(o.discount_amount, {decimals}),
        'created_at', format_utc(o.created_at), 'updated_at', format_utc(o.updated_at){more})"""


FIRST_BOOKING = """(SELECT booking_json(k, o.status, {zone}) FROM bookings k
        WHERE k.tenant_id = $1 AND k.order_id = o.id ORDER BY lower(k.during), k.id LIMIT 1)"""


def transaction_item(decimals: str, zone: str) -> str:
    """`o` is the order and `m` the payment method."""
    return f"transaction_json(t, m, o.order_number, {FIRST_BOOKING.format(zone=zone)}, {decimals}, {zone})"


ORDER_JOINS = """
    JOIN branches b ON b.tenant_id = $1 AND b.id = o.branch_id
    LEFT JOIN LATERAL (
        SELECT * FROM customers WHERE tenant_id = $1 AND id = o.customer_id OFFSET 0) c ON true"""
