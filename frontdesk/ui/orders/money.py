"""Payments, invoices and refunds of an order."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Annotated, Literal
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.errors import invalid, not_found
from frontdesk.http.field_types import AmountText, LongText, ShortText
from frontdesk.http.invoice_files import invoice_page, invoice_pdf
from frontdesk.http.rate_limit_headers import MAX_LINES
from frontdesk.http.responses import Response
from frontdesk.invoices.queries import credit_note_of_refund, invoice_of_order
from frontdesk.invoices.types import Invoice, Language
from frontdesk.orders.invoice import look_at_invoice, plan_invoice
from frontdesk.orders.money_types import RefundRequest
from frontdesk.orders.pay import look_at_payment, plan_payment
from frontdesk.orders.queries.dashboard_list import get_dashboard_order
from frontdesk.orders.refund import look_at_refund, plan_refund
from frontdesk.orders.types import PaymentRequest
from frontdesk.payments.queries import list_method_choices
from frontdesk.postgres.query import fetch
from frontdesk.ui.orders.pages import PATH, show_order
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.form_idempotency import submit_once
from frontdesk.ui.shell.i18n import N_
from frontdesk.ui.shell.permissions import CASHIERS, MANAGERS
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.ids import uuid7
from frontdesk.values.money import format_amount

pages = Pages()
_Quantity = Annotated[int, Meta(ge=0, le=1_000_000)]


class PaymentForm(msgspec.Struct):
    id: UUID
    method: UUID
    amount: AmountText
    reference: ShortText | None = None
    note: LongText | None = None


class InvoiceForm(msgspec.Struct):
    id: UUID


class InvoiceQuery(msgspec.Struct):
    format: Literal["html", "pdf"] = "html"
    language: Language = Language.ENGLISH


class RefundForm(msgspec.Struct):
    """`line` and `quantity` have the same order; an empty quantity means 0."""

    id: UUID
    what: Literal["whole", "lines", "amount"]
    amount: AmountText | None = None
    method: UUID | None = None
    cancel_order: bool = False
    line: Annotated[list[UUID], Meta(max_length=MAX_LINES)] = []
    quantity: Annotated[list[_Quantity | None], Meta(max_length=MAX_LINES)] = []
    restock: bool = False
    reason: LongText | None = None


@pages.get(f"{PATH}/{{order_id}}/pay", CASHIERS)
async def show_payment_form(context: PageContext, order_id: UUID) -> Response:
    async with context.connection() as conn:
        order = await get_dashboard_order(conn, context.tenant_id, order_id)
        methods = await list_method_choices(conn, context.tenant_id)
    return context.render(
        "order_pay.html",
        order=order,
        methods=[(method.id, context.format.localized(method.name)) for method in methods],
        remaining=format_amount(order.remaining, context.tenant.currency_decimals),
        form_id=uuid7(),
    )


@pages.post(f"{PATH}/{{order_id}}/pay", CASHIERS, on_error=show_payment_form)
async def pay(context: PageContext, order_id: UUID, form: PaymentForm) -> Response:
    payment = PaymentRequest(form.amount.amount, form.method, None, form.reference, None, form.note)
    path = await submit_once(
        context,
        form.id,
        look_at_payment(order_id, payment),
        lambda seen: plan_payment(context.tenant, payment, seen),
        f"{PATH}/{order_id}",
    )
    return context.redirect(path, flash=N_("Payment recorded."))


@pages.post(f"{PATH}/{{order_id}}/invoice", MANAGERS, on_error=show_order)
async def issue(context: PageContext, order_id: UUID, form: InvoiceForm) -> Response:
    path = await submit_once(
        context,
        form.id,
        look_at_invoice(order_id),
        lambda seen: plan_invoice(context.tenant, seen, context.user.id),
        f"{PATH}/{order_id}",
    )
    return context.redirect(path, flash=N_("Invoice issued."))


@pages.get(f"{PATH}/{{order_id}}/invoice", CASHIERS)
async def open_invoice(context: PageContext, order_id: UUID, query: InvoiceQuery) -> Response:
    async with context.connection() as conn:
        invoice = await fetch(conn, context.tenant_id, invoice_of_order(order_id))
    if invoice is None:
        raise not_found("invoice")
    return await _invoice_response(invoice, query)


@pages.get(f"{PATH}/{{order_id}}/credit-note", CASHIERS)
async def open_credit_note(context: PageContext, order_id: UUID, query: InvoiceQuery) -> Response:
    async with context.connection() as conn:
        note = await fetch(conn, context.tenant_id, credit_note_of_refund(order_id))
    if note is None:
        raise not_found("credit note")
    return await _invoice_response(note, query)


async def _invoice_response(invoice: Invoice, query: InvoiceQuery) -> Response:
    is_page = query.format == "html"
    response = invoice_page(invoice, query.language) if is_page else await invoice_pdf(invoice, query.language)
    response.headers.update({"cache-control": "no-store", "x-frame-options": "DENY"})
    return response


@pages.get(f"{PATH}/{{order_id}}/refund", MANAGERS)
async def show_refund_form(context: PageContext, order_id: UUID) -> Response:
    async with context.connection() as conn:
        order = await get_dashboard_order(conn, context.tenant_id, order_id, context.names_language)
        methods = await list_method_choices(conn, context.tenant_id)
    quantities = context.form.values.get("quantity", [])
    rows = [(line, quantities[n] if n < len(quantities) else "0") for n, line in enumerate(order.lines)]
    return context.render(
        "order_refund.html",
        order=order,
        rows=rows,
        methods=[(method.id, context.format.localized(method.name)) for method in methods],
        form_id=uuid7(),
    )


@pages.post(f"{PATH}/{{order_id}}/refund", MANAGERS, on_error=show_refund_form)
async def refund(context: PageContext, order_id: UUID, form: RefundForm) -> Response:
    request = RefundRequest(
        lines=_quantities(form.line, form.quantity) if form.what == "lines" else None,
        amount=_amount(form.amount) if form.what == "amount" else None,
        restock=form.restock,
        cancel_order=form.cancel_order,
        method_id=form.method,
        reason=form.reason,
    )
    path = await submit_once(
        context,
        form.id,
        look_at_refund(order_id, request),
        lambda seen: plan_refund(context.tenant, seen, request, context.actor),
        f"{PATH}/{order_id}",
    )
    return context.redirect(path, flash=N_("Refund recorded."))


def _amount(text: AmountText | None) -> Decimal:
    if text is None:
        raise invalid({"amount": [N_("is required")]})
    return text.amount


def _quantities(lines: Sequence[UUID], quantities: Sequence[int | None]) -> dict[UUID, int]:
    if len(lines) != len(quantities) or len(set(lines)) != len(lines):
        raise invalid({"lines": [N_("do not match their quantities: reload the page")]})
    return {line: quantity or 0 for line, quantity in zip(lines, quantities, strict=True)}
