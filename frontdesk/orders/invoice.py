"""The act of issuing an invoice: numbered, immutable, with the QR code of Saudi simplified tax invoices."""

from datetime import UTC, datetime
from uuid import UUID

from frontdesk.errors import Code, WireError, invalid
from frontdesk.orders.credit import issue_credit_notes
from frontdesk.orders.invoice_content import encode_lines, included_tax, make_qr
from frontdesk.orders.money_types import NewInvoice
from frontdesk.orders.queries.changing import lock_order
from frontdesk.orders.queries.refunding import get_invoice_parties, insert_invoice, list_sold_lines
from frontdesk.orders.types import LockedOrder, Status
from frontdesk.postgres.pool import Connection
from frontdesk.tenants.types import TenantContext
from frontdesk.values.ids import uuid7


async def issue_invoice(conn: Connection, tenant: TenantContext, order_id: UUID, issued_by: UUID | None) -> int:
    """The invoice's number. It stores a copy of what it shows, because other rows may change and it may not.

    Refunds that were made before get their credit notes now.
    """
    async with conn.transaction():
        order = await lock_order(conn, tenant.tenant_id, order_id)
        _check(order)
        lines = await list_sold_lines(conn, tenant.tenant_id, order_id)
        rate, seller, buyer = await get_invoice_parties(conn, tenant.tenant_id, order_id)
        tax = included_tax(order.total, rate, tenant.currency_decimals)
        now = datetime.now(UTC)
        invoice = NewInvoice(
            id=uuid7(),
            order_id=order.id,
            seller=seller,
            buyer=buyer,
            lines=encode_lines(lines, tenant.currency_decimals),
            currency=order.currency,
            tax_rate=rate,
            tax_amount=tax,
            total=order.total,
            qr=make_qr(seller, order.total, tax, now, tenant.currency_decimals),
            issued_by=issued_by,
            issued_at=now,
        )
        number = await insert_invoice(conn, tenant.tenant_id, invoice)
        await issue_credit_notes(conn, tenant, order_id, issued_by)
        return number


def _check(order: LockedOrder) -> None:
    if order.invoiced:
        raise WireError(Code.ORDER_HAS_INVOICE, "The order already has an invoice.")
    if order.status in (Status.DRAFT, Status.CANCELED) or order.parent_id is not None:
        raise invalid({"order_id": ["is a draft, canceled or a refund and cannot have an invoice"]})
