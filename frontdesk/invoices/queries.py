"""Reading invoices; they are written once, by the act that issues them."""

from uuid import UUID

import msgspec
from asyncpg import Record

from frontdesk.errors import not_found
from frontdesk.invoices.types import Buyer, Invoice, Line, Seller
from frontdesk.kit.db import Connection

_INVOICE = """
    SELECT i.id, i.invoice_number, i.order_id, o.order_number, i.seller, i.buyer, i.lines, i.currency, i.tax_rate,
        i.tax_amount, i.total, i.qr, i.issued_at
    FROM invoices i JOIN orders o ON o.tenant_id = i.tenant_id AND o.id = i.order_id
"""


async def get_invoice(conn: Connection, tenant_id: UUID, invoice_id: UUID) -> Invoice:
    row = await conn.fetchrow(f"{_INVOICE} WHERE i.tenant_id = $1 AND i.id = $2", tenant_id, invoice_id)
    if row is None:
        raise not_found("invoice")
    return _read(row)


async def find_invoice_of_order(conn: Connection, tenant_id: UUID, order_id: UUID) -> Invoice | None:
    row = await conn.fetchrow(f"{_INVOICE} WHERE i.tenant_id = $1 AND i.order_id = $2", tenant_id, order_id)
    return _read(row) if row else None


def _read(row: Record) -> Invoice:
    return Invoice(
        id=row["id"],
        number=row["invoice_number"],
        order_id=row["order_id"],
        order_number=row["order_number"],
        seller=msgspec.json.decode(row["seller"], type=Seller),
        buyer=msgspec.json.decode(row["buyer"], type=Buyer) if row["buyer"] else None,
        lines=msgspec.json.decode(row["lines"], type=list[Line]),
        currency=row["currency"],
        tax_rate=row["tax_rate"],
        tax_amount=row["tax_amount"],
        total=row["total"],
        qr=row["qr"],
        issued_at=row["issued_at"],
    )
