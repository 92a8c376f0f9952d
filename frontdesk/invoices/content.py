"""The content of invoices and credit notes: lines, the QR code of Saudi simplified tax invoices."""

import base64
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal

from frontdesk.invoices.money_types import InvoiceLine, InvoiceSeller, RefundableLine, RefundedLine
from frontdesk.orders.tax import RATE_DECIMALS
from frontdesk.values.money import format_amount
from frontdesk.values.time import format_utc


def tax_qr(seller: str, tax_number: str, issued_at: str, total: str, tax: str) -> str:
    """Five tag-length-value fields in base64. A value that is too long for its length byte is truncated."""
    fields = bytearray()
    for tag, value in enumerate((seller, tax_number, issued_at, total, tax), 1):
        raw = value.encode()[:255].decode("utf-8", "ignore").encode()
        fields += bytes((tag, len(raw))) + raw
    return base64.b64encode(fields).decode()


def make_qr(seller: InvoiceSeller, total: Decimal, tax: Decimal, now: datetime, decimals: int) -> str:
    return tax_qr(
        seller.name,
        seller.tax_registration_number or "",
        format_utc(now.replace(microsecond=0)).replace(".000000", ""),
        format_amount(total, decimals),
        format_amount(tax, decimals),
    )


def invoice_lines(lines: Sequence[RefundableLine | RefundedLine], decimals: int) -> list[InvoiceLine]:
    return [
        InvoiceLine(
            name=line.name,
            names=line.names,
            type=line.type,
            quantity=line.quantity,
            unit_amount=format_amount(line.price, decimals),
            discount_amount=format_amount(line.discount_amount, decimals),
            total=format_amount(line.total, decimals),
            tax_rate=format_amount(line.tax_rate, RATE_DECIMALS),
            tax_amount=format_amount(line.tax_amount, decimals),
        )
        for line in lines
    ]
