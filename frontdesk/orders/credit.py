"""Credit notes: each refund of an order with an invoice gets one, numbered and referring to the invoice."""

from datetime import UTC, datetime
from decimal import Decimal
from uuid import UUID

from frontdesk.orders.invoice_content import encode_lines, included_tax, make_qr
from frontdesk.orders.money_types import NewCreditNote, RefundToCredit
from frontdesk.orders.queries.crediting import (
    InvoiceToCredit,
    get_invoice_to_credit,
    insert_credit_note,
    list_refunded_lines,
    list_refunds_to_credit,
)
from frontdesk.postgres.pool import Connection
from frontdesk.tenants.types import TenantContext
from frontdesk.values.ids import uuid7


async def issue_credit_notes(conn: Connection, tenant: TenantContext, order_id: UUID, issued_by: UUID | None) -> None:
    """For every refund of the order that has none yet. The caller holds the order's row."""
    invoice = await get_invoice_to_credit(conn, tenant.tenant_id, order_id)
    credited = invoice.credited
    for refund in await list_refunds_to_credit(conn, tenant.tenant_id, order_id):
        await _issue(conn, tenant, invoice, refund, credited, issued_by)
        credited += refund.amount


async def _issue(
    conn: Connection,
    tenant: TenantContext,
    invoice: InvoiceToCredit,
    refund: RefundToCredit,
    credited: Decimal,
    issued_by: UUID | None,
) -> None:
    decimals, now = tenant.currency_decimals, datetime.now(UTC)
    lines = await list_refunded_lines(conn, tenant.tenant_id, refund.child_id)
    tax = tax_share(invoice.tax_rate, credited, refund.amount, decimals)
    note = NewCreditNote(
        id=uuid7(),
        invoice_id=invoice.id,
        child_id=refund.child_id,
        lines=encode_lines(lines, decimals),
        tax_amount=tax,
        total=refund.amount,
        qr=make_qr(invoice.seller, refund.amount, tax, now, decimals),
        issued_by=issued_by,
        issued_at=now,
    )
    await insert_credit_note(conn, tenant.tenant_id, note)


def tax_share(rate: Decimal, credited: Decimal, amount: Decimal, decimals: int) -> Decimal:
    """The difference of two rounded running sums, so that all credit notes together take back the invoice's tax."""
    return included_tax(credited + amount, rate, decimals) - included_tax(credited, rate, decimals)
