"""Payments, invoices and refunds of an order."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Annotated, Literal
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.http.field_types import EnteredAmount, LongText, ShortText
from frontdesk.http.problems import ValueProblem
from frontdesk.http.responses import Response
from frontdesk.i18n.languages import ENGLISH, Language
from frontdesk.i18n.texts import N_
from frontdesk.invoices.files import invoice_page, invoice_pdf
from frontdesk.invoices.issue import IssueInvoice
from frontdesk.invoices.money_types import RefundRequest
from frontdesk.invoices.page import PageLinks
from frontdesk.invoices.queries import credit_note_of_refund, invoice_of_order
from frontdesk.invoices.types import Invoice
from frontdesk.orders.pay import PayOrder
from frontdesk.orders.types import MAX_LINES, PaymentRequest
from frontdesk.payments.queries import list_method_choices
from frontdesk.problems import Problem, or_not_found
from frontdesk.refunds.refund import RefundOrder
from frontdesk.refunds.refund_lines import build_refund_lines
from frontdesk.ui.components.order_queries import get_dashboard_order
from frontdesk.ui.orders.pages import PATH, show_order
from frontdesk.ui.shell.assets import asset
from frontdesk.ui.shell.confirmation import Confirmed, ask_for_confirmation
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.form_idempotency import submit
from frontdesk.ui.shell.permissions import CASHIERS, MANAGERS
from frontdesk.ui.shell.problems import page_problem
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.ids import uuid7
from frontdesk.values.money import exact_sum, format_amount

pages = Pages()
_Quantity = Annotated[int, Meta(ge=0, le=1_000_000)]


class PaymentForm(msgspec.Struct):
    id: UUID
    method: UUID
    amount: EnteredAmount
    version: int | None = None
    reference: ShortText | None = None
    note: LongText | None = None


class InvoiceForm(msgspec.Struct):
    id: UUID
    version: int | None = None


class InvoiceQuery(msgspec.Struct):
    format: Literal["html", "pdf"] = "html"
    language: Language = Language(ENGLISH)


class RefundForm(msgspec.Struct):
    """`line` and `quantity` have the same order; an empty quantity means 0."""

    id: UUID
    what: Literal["whole", "lines", "amount"]
    sure: Confirmed = None  # for the whole
    version: int | None = None
    amount: EnteredAmount | None = None
    method: UUID | None = None
    cancel_order: bool = False
    line: Annotated[list[UUID], Meta(max_length=MAX_LINES)] = []
    quantity: Annotated[list[_Quantity | None], Meta(max_length=MAX_LINES)] = []
    restock: bool = False
    reason: LongText | None = None


class ChosenLines(msgspec.Struct):
    lines: Annotated[str, Meta(max_length=40 * MAX_LINES)] = ""  # "id:quantity", comma separated

    def quantities(self) -> dict[UUID, int]:
        chosen = [pair.partition(":") for pair in self.lines.split(",") if pair]
        try:
            return {UUID(line): int(quantity) for line, _, quantity in chosen}
        except ValueError:
            raise page_problem(N_("The rows of the form do not match. Reload the page."), "lines") from None


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
    act = PayOrder(order_id, payment, version=form.version)
    path = await submit(context, act, once=form.id, then=f"{PATH}/{order_id}")
    return context.redirect(path, flash=N_("Payment recorded."))


@pages.get(f"{PATH}/{{order_id}}/invoice/issue", CASHIERS)
async def confirm_invoice(context: PageContext, order_id: UUID) -> Response:
    order = await context.call(get_dashboard_order, context.tenant_id, order_id)
    return context.render("order_invoice.html", order=order, form_id=uuid7())


@pages.post(f"{PATH}/{{order_id}}/invoice", CASHIERS, on_error=show_order)
async def issue(context: PageContext, order_id: UUID, form: InvoiceForm) -> Response:
    path = await submit(context, IssueInvoice(order_id, form.version), once=form.id, then=f"{PATH}/{order_id}")
    return context.redirect(path, flash=N_("Invoice issued."))


@pages.get(f"{PATH}/{{order_id}}/invoice", CASHIERS)
async def open_invoice(context: PageContext, order_id: UUID, query: InvoiceQuery) -> Response:
    invoice = or_not_found(await context.fetch(invoice_of_order(order_id)), "invoice")
    return await _invoice_response(context, order_id, invoice, query)


@pages.get(f"{PATH}/{{order_id}}/credit-note", CASHIERS)
async def open_credit_note(context: PageContext, order_id: UUID, query: InvoiceQuery) -> Response:
    note = or_not_found(await context.fetch(credit_note_of_refund(order_id)), "credit note")
    return await _invoice_response(context, order_id, note, query)


async def _invoice_response(context: PageContext, order_id: UUID, invoice: Invoice, query: InvoiceQuery) -> Response:
    if query.format == "html":
        pdf = f"{context.request.path}?format=pdf&language={query.language}"
        file = invoice_page(invoice, query.language, PageLinks(f"{PATH}/{order_id}", pdf, asset("scripts/print.js")))
    else:
        file = await invoice_pdf(context.tenant_id, invoice, query.language)
    return Response(file.body, headers={**file.headers, "cache-control": "no-store", "x-frame-options": "DENY"})


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


@pages.get(f"{PATH}/{{order_id}}/refund/amount", MANAGERS)
async def show_refund_amount(context: PageContext, order_id: UUID, query: ChosenLines) -> Response:
    """What the chosen lines amount to; the page shows it while lines are chosen."""
    request = RefundRequest(lines=query.quantities())
    order = await context.fetch(RefundOrder(order_id, request).load())
    if not request.lines:
        return Response(b"", content_type="text/plain; charset=utf-8")
    lines = build_refund_lines(order.order, order.sold, request, context.tenant.currency_decimals)
    amount = context.format.price(exact_sum(line.total for line in lines))
    text = context.translate(N_("The chosen lines: %(sum)s")) % {"sum": amount}
    return Response(text.encode(), headers={"cache-control": "no-store"}, content_type="text/plain; charset=utf-8")


@pages.post(f"{PATH}/{{order_id}}/refund", MANAGERS, on_error=show_refund_form)
async def refund(context: PageContext, order_id: UUID, form: RefundForm) -> Response:
    if form.what == "whole" and form.sure is None:
        return await _ask_before_refund(context, order_id)
    request = RefundRequest(
        lines=_quantities(form.line, form.quantity) if form.what == "lines" else None,
        amount=_amount(form.amount) if form.what == "amount" else None,
        restock=form.restock,
        cancel_order=form.cancel_order,
        method_id=form.method,
        reason=form.reason,
    )
    act = RefundOrder(order_id, request, version=form.version)
    path = await submit(context, act, once=form.id, then=f"{PATH}/{order_id}")
    return context.redirect(path, flash=N_("Refund recorded."))


async def _ask_before_refund(context: PageContext, order_id: UUID) -> Response:
    order = await context.call(get_dashboard_order, context.tenant_id, order_id)
    amount = {"sum": context.format.price(order.refundable)}
    return ask_for_confirmation(
        context,
        question=context.translate(N_("Refund %(sum)s?")) % amount,
        yes=context.translate(N_("Refund %(sum)s")) % amount,
        no=context.translate(N_("Keep as it is")),
        back=f"{PATH}/{order_id}/refund",
    )


def _amount(text: EnteredAmount | None) -> Decimal:
    if text is None:
        raise Problem(ValueProblem.NOT_AMOUNT, "amount")
    return text.amount


def _quantities(lines: Sequence[UUID], quantities: Sequence[int | None]) -> dict[UUID, int]:
    if len(lines) != len(quantities) or len(set(lines)) != len(lines):
        raise page_problem(N_("The rows of the form do not match. Reload the page."), "lines")
    return {line: quantity or 0 for line, quantity in zip(lines, quantities, strict=True)}
