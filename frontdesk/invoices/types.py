from datetime import datetime
from decimal import Decimal
from uuid import UUID

import msgspec


class Seller(msgspec.Struct, frozen=True):
    name: str
    tax_registration_number: str | None = None
    branch: str | None = None
    address: str | None = None
    phone: str | None = None
    timezone: str = "UTC"  # for the time of issue
    note: dict[str, str] = {}  # printed at the end, by language
    branch_names: dict[str, str] = {}  # by language


class Buyer(msgspec.Struct, frozen=True):
    name: str
    tax_registration_number: str | None = None
    address: str | None = None
    city: str | None = None


class Line(msgspec.Struct, frozen=True):
    name: str
    quantity: int
    unit_amount: Decimal
    discount_amount: Decimal
    total: Decimal
    names: dict[str, str] = {}  # by language
    tax_rate: Decimal = Decimal(0)  # in percent
    tax_amount: Decimal = Decimal(0)  # the part of the total


class Invoice(msgspec.Struct, frozen=True):
    """An invoice or credit note as it was issued: it contains copies of its parties and lines."""

    id: UUID
    number: int
    order_id: UUID
    order_number: int
    seller: Seller
    buyer: Buyer | None
    lines: list[Line]
    currency: str
    tax_rate: Decimal
    tax_amount: Decimal
    total: Decimal
    qr: str  # the content of the QR code, in base64
    issued_at: datetime
    credits: int | None = None  # of a credit note: the number of the credited invoice
    reason: str | None = None  # of a credit note, as entered with the refund
    is_refund: bool = False  # of a credit note; otherwise the order was canceled


class PdfRequest(msgspec.Struct):
    """What the process that renders PDFs reads."""

    invoice: Invoice
    language: str
