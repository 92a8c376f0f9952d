"""The act of issuing an invoice: numbered, immutable, with the QR code of Saudi simplified tax invoices."""

import base64
from datetime import UTC, datetime
from decimal import Decimal
from uuid import UUID

import msgspec

from frontdesk.errors import Code, WireError, invalid
from frontdesk.kit.clock import format_utc
from frontdesk.kit.db import Connection
from frontdesk.kit.ids import new_id
from frontdesk.kit.money import format_amount, round_half_up
from frontdesk.orders.queries.changing import lock_order
from frontdesk.orders.queries.refunding import get_invoice_parties, insert_invoice, list_sold_lines
from frontdesk.orders.types import NewInvoice, OrderState, SoldLine, Status
from frontdesk.tenants.types import Business


class _Seller(msgspec.Struct):
    name: str
    tax_registration_number: str | None


async def issue_invoice(conn: Connection, business: Business, order_id: UUID, issued_by: UUID | None) -> int:
    """The invoice's number. It keeps a copy of what it shows, because the books may change and it may not."""
    async with conn.transaction():
        order = await lock_order(conn, business.tenant_id, order_id)
        _check(order)
        lines = await list_sold_lines(conn, business.tenant_id, order_id)
        rate, seller, buyer = await get_invoice_parties(conn, business.tenant_id, order_id)
        tax = included_tax(order.total, rate, business.currency_decimals)
        now = datetime.now(UTC)
        invoice = NewInvoice(
            id=new_id(),
            order_id=order.id,
            seller=seller,
            buyer=buyer,
            lines=_lines(lines, business.currency_decimals),
            currency=order.currency,
            tax_rate=rate,
            tax_amount=tax,
            total=order.total,
            qr=_qr(seller, order.total, tax, now, business.currency_decimals),
            issued_by=issued_by,
            issued_at=now,
        )
        return await insert_invoice(conn, business.tenant_id, invoice)


def _check(order: OrderState) -> None:
    if order.invoiced:
        raise WireError(Code.ORDER_HAS_INVOICE, "The order already has an invoice.")
    if order.status in (Status.DRAFT, Status.CANCELED) or order.parent_id is not None:
        raise invalid({"order_id": ["is a draft, canceled or a refund, and gets no invoice"]})


def included_tax(total: Decimal, rate: Decimal, decimals: int) -> Decimal:
    """Prices hold the tax already: this is the part of the total that it makes up."""
    return round_half_up(total * rate / (100 + rate), decimals)


def tax_qr(seller: str, tax_number: str, issued_at: str, total: str, tax: str) -> str:
    """Tag, length, value five times over, in base64; a value that is too long for its length byte is cut."""
    fields = bytearray()
    for tag, value in enumerate((seller, tax_number, issued_at, total, tax), 1):
        raw = value.encode()[:255].decode("utf-8", "ignore").encode()
        fields += bytes((tag, len(raw))) + raw
    return base64.b64encode(fields).decode()


def _qr(seller: str, total: Decimal, tax: Decimal, now: datetime, decimals: int) -> str:
    known = msgspec.json.decode(seller, type=_Seller)
    return tax_qr(
        known.name,
        known.tax_registration_number or "",
        format_utc(now.replace(microsecond=0)).replace(".000000", ""),
        format_amount(total, decimals),
        format_amount(tax, decimals),
    )


def _lines(lines: list[SoldLine], decimals: int) -> str:
    return msgspec.json.encode(
        [
            {
                "name": line.name,
                "names": msgspec.Raw(line.names.encode()),
                "type": line.type,
                "quantity": line.quantity,
                "unit_amount": format_amount(line.price, decimals),
                "discount_amount": format_amount(line.discount_amount, decimals),
                "total": format_amount(line.total, decimals),
            }
            for line in lines
        ]
    ).decode()
