"""Types for refunds, invoices and credit notes."""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

import msgspec

from frontdesk.orders.types import NO_CASHIER, Cashier, Source


class InvoiceSeller(msgspec.Struct, frozen=True):
    """As it is stored with an invoice."""

    name: str
    tax_registration_number: str | None
    branch: str | None
    address: str | None
    phone: str | None
    timezone: str
    note: dict[str, str] = {}  # by language
    branch_names: dict[str, str] = {}  # what customers read in place of `branch`, by language


class InvoiceLine(msgspec.Struct, frozen=True):
    """As it is stored with an invoice or credit note; amounts as decimal strings."""

    name: str
    names: dict[str, str]  # by language
    type: str
    quantity: int
    unit_amount: str
    discount_amount: str
    total: str
    tax_rate: str  # in percent
    tax_amount: str  # the part of the total


class RefundableLine(msgspec.Struct, frozen=True):
    id: UUID
    type: str
    name: str
    price: Decimal
    quantity: int
    discount_amount: Decimal
    total: Decimal
    tax_rate: Decimal
    tax_amount: Decimal
    refunded: int  # units of the quantity
    refunded_total: Decimal
    refunded_tax: Decimal
    names: dict[str, str]  # by language


class RefundablePayment(msgspec.Struct, frozen=True):
    payment_id: UUID
    method_id: UUID
    remaining: Decimal  # not refunded yet


class RefundAllocation(msgspec.Struct, frozen=True):
    id: UUID
    payment_id: UUID
    method_id: UUID
    amount: Decimal
    wholly: bool  # the payment is fully refunded


class RefundRequest(NamedTuple):
    """Lines with their quantities, or an amount, or neither for a full refund."""

    lines: Mapping[UUID, int] | None = None
    amount: Decimal | None = None
    restock: bool = False
    cancel_order: bool = False  # cancels an appointment in the future
    method_id: UUID | None = None  # None: the methods of the payments
    reason: str | None = None
    cashier: Cashier = NO_CASHIER
    source: Source | None = None  # None: that of the actor


class RefundLine(msgspec.Struct, frozen=True):
    """Amounts are positive; the order of the refund has them negated."""

    id: UUID
    sold_id: UUID
    quantity: int
    price: Decimal
    discount_amount: Decimal
    total: Decimal
    tax_amount: Decimal
    returned: int  # units of the sold line that are returned


class RefundedLine(msgspec.Struct, frozen=True):
    """A line of a refund as its credit note shows it; amounts are positive."""

    name: str
    names: dict[str, str]  # by language
    type: str
    quantity: int
    price: Decimal
    discount_amount: Decimal
    total: Decimal
    tax_rate: Decimal
    tax_amount: Decimal


class RefundToCredit(msgspec.Struct, frozen=True):
    """A refund of an order with an invoice that has no credit note yet."""

    child_id: UUID
    amount: Decimal
    lines: list[RefundedLine]


class InvoiceToCredit(msgspec.Struct, frozen=True):
    """The invoice that a credit note refers to."""

    seller: InvoiceSeller


class InvoiceParties(msgspec.Struct, frozen=True):
    """The seller and the buyer of a new invoice."""

    seller: InvoiceSeller
    buyer: msgspec.Raw


class NewCreditNote(msgspec.Struct, frozen=True):
    id: UUID
    child_id: UUID
    lines: list[InvoiceLine]
    tax_rate: Decimal
    tax_amount: Decimal
    total: Decimal
    qr: str
    issued_by: UUID | None
    issued_at: datetime


class NewInvoice(msgspec.Struct, frozen=True):
    """The argument of the database function `issue_invoice`."""

    id: UUID
    order_id: UUID
    version: int  # of the order
    seller: InvoiceSeller
    buyer: msgspec.Raw
    lines: list[InvoiceLine]
    currency: str
    tax_rate: Decimal
    tax_amount: Decimal
    total: Decimal
    qr: str
    issued_by: UUID | None
    issued_at: datetime
    credit_notes: list[NewCreditNote]
