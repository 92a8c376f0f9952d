"""Credit notes: each refund of an order with an invoice gets one, numbered and referring to the invoice."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from uuid import UUID

from frontdesk.orders.invoice_content import included_tax, invoice_lines, make_qr
from frontdesk.orders.money_types import InvoiceToCredit, NewCreditNote, RefundToCredit
from frontdesk.values.ids import uuid7


def credit_notes(
    invoice: InvoiceToCredit,
    refunds: Sequence[RefundToCredit],
    issued_by: UUID | None,
    now: datetime,
    decimals: int,
) -> list[NewCreditNote]:
    """For refunds without a credit note, in the order in which they were made."""
    notes, credited = [], invoice.credited
    for refund in refunds:
        tax = tax_share(invoice.tax_rate, credited, refund.amount, decimals)
        credited += refund.amount
        notes.append(
            NewCreditNote(
                id=uuid7(),
                child_id=refund.child_id,
                lines=invoice_lines(refund.lines, decimals),
                tax_amount=tax,
                total=refund.amount,
                qr=make_qr(invoice.seller, refund.amount, tax, now, decimals),
                issued_by=issued_by,
                issued_at=now,
            )
        )
    return notes


def tax_share(rate: Decimal, credited: Decimal, amount: Decimal, decimals: int) -> Decimal:
    """The difference of two rounded running sums, so that all credit notes together take back the invoice's tax."""
    return included_tax(credited + amount, rate, decimals) - included_tax(credited, rate, decimals)
