"""What refunds, invoices and credit notes are made from."""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

from frontdesk.orders.types import NO_CASHIER, Cashier


class RefundableLine(NamedTuple):
    id: UUID
    type: str
    name: str
    price: Decimal
    quantity: int
    discount_amount: Decimal
    total: Decimal
    refunded: int  # pieces of the quantity
    names: str  # by language, as JSON


class RefundablePayment(NamedTuple):
    payment_id: UUID
    method_id: UUID
    remaining: Decimal  # not given back yet


class RefundAllocation(NamedTuple):
    payment_id: UUID
    method_id: UUID
    amount: Decimal
    wholly: bool  # nothing of the payment is left


class RefundRequest(NamedTuple):
    """What to give back: lines with their quantities, or an amount, or neither, which means everything."""

    lines: Mapping[UUID, int] | None = None
    amount: Decimal | None = None
    restock: bool = False
    cancel_order: bool = False  # gives up an appointment that is still to come
    method_id: UUID | None = None  # None: the methods by which the money came
    reason: str | None = None
    cashier: Cashier = NO_CASHIER


class RefundLine(NamedTuple):
    """Positive amounts; the child order turns their signs."""

    sold_id: UUID
    quantity: int
    price: Decimal
    discount_amount: Decimal
    total: Decimal
    returned: int  # pieces of the sold line that come back with the money


class RefundedLine(NamedTuple):
    """A line of a refund as its credit note shows it; positive amounts."""

    name: str
    names: str  # by language, as JSON
    type: str
    quantity: int
    price: Decimal
    discount_amount: Decimal
    total: Decimal


class RefundToCredit(NamedTuple):
    """A refund of an order with an invoice that has no credit note yet."""

    child_id: UUID
    amount: Decimal


class NewCreditNote(NamedTuple):
    id: UUID
    invoice_id: UUID
    child_id: UUID
    lines: str
    tax_amount: Decimal
    total: Decimal
    qr: str
    issued_by: UUID | None
    issued_at: datetime


class NewInvoice(NamedTuple):
    id: UUID
    order_id: UUID
    seller: str
    buyer: str | None
    lines: str
    currency: str
    tax_rate: Decimal
    tax_amount: Decimal
    total: Decimal
    qr: str
    issued_by: UUID | None
    issued_at: datetime
