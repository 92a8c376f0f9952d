"""Issuing an invoice: numbered, immutable, with the QR code of Saudi simplified tax invoices."""

from uuid import UUID

from frontdesk.invoices.content import invoice_lines, make_qr
from frontdesk.invoices.credit import credit_notes
from frontdesk.invoices.money_types import InvoiceToCredit, NewInvoice
from frontdesk.invoices.order_queries import OrderToInvoice, order_to_invoice
from frontdesk.orders.invoice_problem import find_invoice_problem
from frontdesk.orders.tax import main_rate
from frontdesk.orders.types import OrderState
from frontdesk.postgres.act import Act, Context, FunctionCall, ResponseDocument
from frontdesk.postgres.query import Query, lock_row
from frontdesk.problems import check_version
from frontdesk.values.clock import current_time
from frontdesk.values.ids import uuid7
from frontdesk.values.money import exact_sum


class IssueInvoice(Act[OrderToInvoice], frozen=True):
    """An invoice stores a copy of what it shows, because other rows may change and it may not.

    Refunds that were made before get their credit notes now.
    """

    order_id: UUID
    version: int | None = None  # the one that a form was filled from

    def load(self) -> Query[OrderToInvoice]:
        return order_to_invoice(self.order_id).locking(lock_row("orders", self.order_id))

    def decide(self, context: Context[OrderToInvoice]) -> FunctionCall:
        order, parties, sold = context.loaded.order, context.loaded.parties, context.loaded.sold
        check_version(self.version, order.version, order.id)
        _check(order)
        decimals, now, issued_by = context.tenant.currency_decimals, current_time(), context.actor.user_id
        tax = exact_sum(line.tax_amount for line in sold)
        invoice = NewInvoice(
            id=uuid7(),
            order_id=order.id,
            version=order.version,
            seller=parties.seller,
            buyer=parties.buyer,
            lines=invoice_lines(sold, decimals),
            currency=order.currency,
            tax_rate=main_rate((line.tax_rate, line.total) for line in sold),
            tax_amount=tax,
            total=order.total,
            qr=make_qr(parties.seller, order.total, tax, now, decimals),
            issued_by=issued_by,
            issued_at=now,
            credit_notes=credit_notes(
                InvoiceToCredit(parties.seller), context.loaded.refunds, issued_by, now, decimals
            ),
        )
        return FunctionCall("issue_invoice", invoice, ResponseDocument("invoice_document", invoice.id))


def _check(order: OrderState) -> None:
    problem = find_invoice_problem(order)
    if problem is not None:
        raise problem
