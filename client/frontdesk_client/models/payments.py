"""Payment methods and transactions."""

from decimal import Decimal
from uuid import UUID

import msgspec

from frontdesk_client.models.values import Localized, OrderStatus, TransactionStatus


class PaymentMethodType(msgspec.Struct):
    id: UUID
    name: str
    slug: str


class PaymentMethod(msgspec.Struct):
    id: UUID
    version: int
    name: Localized
    slug: str
    type: PaymentMethodType
    status: bool
    sort_order: int
    created_at: str
    updated_at: str


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
    start: str
    end: str
    status: OrderStatus
    service_id: UUID
    staff_id: UUID


class Transaction(msgspec.Struct):
    """A payment or a refund."""

    id: UUID
    transaction_no: int
    amount: str  # decimal; negative for a refund
    currency: str
    status: TransactionStatus
    is_deposit: bool
    note: str | None
    reference_number: str | None
    date: str
    payment_method: PaymentMethodReference
    order: OrderReference
    booking: BookingReference | None
    created_at: str
    updated_at: str


class CashierOfBusiness(msgspec.Struct):
    id: UUID
    version: int
    name: str
    code: str
    branch_id: UUID
    status: bool
    created_at: str
    updated_at: str


class CommissionRateDocument(msgspec.Struct):
    id: UUID
    version: int
    staff_id: UUID | None
    item_id: UUID | None
    starts_on: str
    percent: Decimal
    created_at: str
    updated_at: str
