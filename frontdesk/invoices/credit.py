"""Credit notes: each refund of an order with an invoice gets one, numbered and referring to the invoice.

A cancellation gets one for what is left of the invoice, also for what was never paid.
"""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from uuid import UUID

from frontdesk.invoices.content import invoice_lines, make_qr
from frontdesk.invoices.money_types import InvoiceToCredit, NewCreditNote, RefundableLine, RefundedLine, RefundToCredit
from frontdesk.orders.tax import main_rate
from frontdesk.values.ids import uuid7
from frontdesk.values.money import exact_sum


def credit_notes(
    invoice: InvoiceToCredit,
    refunds: Sequence[RefundToCredit],
    issued_by: UUID | None,
    now: datetime,
    decimals: int,
) -> list[NewCreditNote]:
    """For refunds without a credit note, in the order in which they were made."""
    notes = []
    for refund in refunds:
        tax = exact_sum(line.tax_amount for line in refund.lines)
        notes.append(
            NewCreditNote(
                id=uuid7(),
                child_id=refund.child_id,
                lines=invoice_lines(refund.lines, decimals),
                tax_rate=main_rate((line.tax_rate, line.total) for line in refund.lines),
                tax_amount=tax,
                total=refund.amount,
                qr=make_qr(invoice.seller, refund.amount, tax, now, decimals),
                issued_by=issued_by,
                issued_at=now,
            )
        )
    return notes


def credit_rest(
    invoice: InvoiceToCredit | None,
    sold: Sequence[RefundableLine],
    order_id: UUID,
    issued_by: UUID | None,
    now: datetime,
    decimals: int,
) -> NewCreditNote | None:
    """For the order that is canceled; None if nothing is left."""
    left = [_left_of(line) for line in sold if line.total > line.refunded_total]
    if invoice is None or not left:
        return None
    rest = RefundToCredit(order_id, exact_sum(line.total for line in left), left)
    return credit_notes(invoice, [rest], issued_by, now, decimals)[0]


def _left_of(line: RefundableLine) -> RefundedLine:
    """As it was sold; if a part of it was refunded, one unit at what is left."""
    left = line.total - line.refunded_total
    is_whole = not line.refunded_total
    return RefundedLine(
        name=line.name,
        names=line.names,
        type=line.type,
        quantity=line.quantity if is_whole else 1,
        price=line.price if is_whole else left,
        discount_amount=line.discount_amount if is_whole else Decimal(0),
        total=left,
        tax_rate=line.tax_rate,
        tax_amount=line.tax_amount - line.refunded_tax,
    )
