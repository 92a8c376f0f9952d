"""The receipt of an order: on the 80 mm roll or A4, and at an address that the customer can open."""

from collections.abc import Iterable
from decimal import Decimal
from functools import partial
from typing import Annotated, Literal
from urllib.parse import urlencode
from uuid import UUID

import msgspec
from markupsafe import Markup
from msgspec import Meta

from frontdesk.accounts.pin_queries import Approver
from frontdesk.auth.problems import ThrottleProblem
from frontdesk.auth.throttle import consume_attempt_or_raise, subject
from frontdesk.http.responses import Response
from frontdesk.i18n.languages import Language, is_right_to_left, language_name, next_language
from frontdesk.i18n.texts import N_, NP_, translate
from frontdesk.invoices.content import make_qr
from frontdesk.invoices.issue import IssueInvoice
from frontdesk.invoices.page import qr_svg
from frontdesk.invoices.view import other_language, paper_title
from frontdesk.net.email_domains import EmailError, normalize_email
from frontdesk.postgres.query import fetch
from frontdesk.problems import check_version, not_found
from frontdesk.till.receipt_queries import Receipt, ReceiptLine, change_to_give, find_receipt, find_shared_receipt
from frontdesk.till.share_receipt import CreateReceiptLink, MailReceipt
from frontdesk.till.void_queries import find_last_sale
from frontdesk.ui.components.approval import approvers_for
from frontdesk.ui.shell.barcode_svg import draw_barcode
from frontdesk.ui.shell.confirmation import Confirmed, ask_for_confirmation
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.form_idempotency import submit
from frontdesk.ui.shell.formatting import Formatter
from frontdesk.ui.shell.permissions import CASHIERS, PUBLIC
from frontdesk.ui.shell.rendering import render_part
from frontdesk.ui.shell.routing import Pages
from frontdesk.ui.till.hand_over import mail_flash
from frontdesk.values.ids import uuid7
from frontdesk.values.money import exact_sum

pages = Pages()
# Per minute. A user mails to any address, so one who goes on and on is stopped; the mail after a sale is not counted.
MAILS_OF_USER = 10
MAILS_OF_ORDER = 5
ISSUED_FOR_GOOD = N_(
    "An invoice gets the next number and can never be changed. To correct it later, refund the order: that issues a "
    "credit note."
)
_CODE_DIGITS = 6  # at least: scanners ignore very short codes


class ReceiptQuery(msgspec.Struct):
    size: Literal["80", "a4"] = "80"
    till: Literal["yes"] | None = None  # opened after a sale
    then: Literal["print", "mail"] | None = None  # what was chosen before the payment
    language: Language | None = None


class ReceiptMailForm(msgspec.Struct):
    email: Annotated[str, Meta(max_length=254)]


class ReceiptInvoiceForm(msgspec.Struct):
    id: UUID
    version: int | None = None
    sure: Confirmed = None
    till: Literal["yes"] | None = None


@pages.get("/orders/{order_id}/receipt", CASHIERS)
async def show_receipt(context: PageContext, order_id: UUID, query: ReceiptQuery | None = None) -> Response:
    receipt = await context.fetch(find_receipt(order_id))
    last = await context.fetch(find_last_sale(order_id, context.user.id))
    may_void = last is not None and last.is_offered
    approvers = await approvers_for(context) if may_void else None
    return _render(context, receipt, query or ReceiptQuery(), is_public=False, may_void=may_void, approvers=approvers)


@pages.post("/orders/{order_id}/receipt/link", CASHIERS, on_error=show_receipt)
async def share(context: PageContext, order_id: UUID) -> Response:
    await context.run(CreateReceiptLink(order_id))
    return context.redirect(f"/orders/{order_id}/receipt", flash=N_("The receipt has an address now."))


@pages.post("/orders/{order_id}/receipt/mail", CASHIERS, on_error=show_receipt)
async def mail(context: PageContext, order_id: UUID, form: ReceiptMailForm) -> Response:
    try:
        email = normalize_email(form.email)
    except EmailError as error:
        raise error.within("email") from error
    sender, sent = subject("receipt mail user", str(context.user.id)), subject("receipt mail order", str(order_id))
    async with context.connection() as conn:
        await consume_attempt_or_raise(conn, sent, MAILS_OF_ORDER, ThrottleProblem.MAILS_OF_RECEIPT)
        await consume_attempt_or_raise(conn, sender, MAILS_OF_USER, ThrottleProblem.RECEIPTS_OF_USER)
    await context.run(MailReceipt(order_id, email))
    return context.redirect(f"/orders/{order_id}/receipt", flash=mail_flash(context))


@pages.post("/orders/{order_id}/receipt/invoice", CASHIERS, on_error=show_receipt)
async def issue_invoice(context: PageContext, order_id: UUID, form: ReceiptInvoiceForm) -> Response:
    """The user who takes the payment gives the customer the invoice."""
    receipt_path = f"/orders/{order_id}/receipt" + ("?till=yes" if form.till else "")
    act = IssueInvoice(order_id, form.version)
    if form.sure is None:
        order = (await context.fetch(act.load())).order
        check_version(form.version, order.version, order.id)
        return ask_for_confirmation(
            context,
            question=context.translate(ISSUED_FOR_GOOD),
            yes=context.translate(N_("Issue the invoice")),
            no=context.translate(N_("Not now")),
            back=receipt_path,
        )
    path = await submit(context, act, once=form.id, then=receipt_path)
    return context.redirect(path, flash=N_("Invoice issued."))


@pages.get("/receipts/{tenant_id}/{link_id}", PUBLIC)
async def show_shared_receipt(context: PageContext, tenant_id: UUID, link_id: UUID, query: ReceiptQuery) -> Response:
    receipt = await context.call(fetch, tenant_id, find_shared_receipt(link_id))
    if receipt is not None:
        context.language = query.language or context.language
        context.format = Formatter(context.language, receipt.tenant)
    response = _render(context, receipt, query, is_public=True)
    response.headers["x-robots-tag"] = "noindex, nofollow"
    return response


def _render(
    context: PageContext,
    receipt: Receipt | None,
    query: ReceiptQuery,
    *,
    is_public: bool,
    may_void: bool = False,
    approvers: list[Approver] | None = None,
) -> Response:
    if receipt is None:
        raise not_found("receipt")
    link = (
        f"{context.request.origin}/receipts/{receipt.tenant.tenant_id}/{receipt.link_id}" if receipt.link_id else None
    )
    language = query.language or context.language
    return context.render(
        "receipt.html",
        receipt=receipt,
        paper=Markup(draw_paper(receipt, language, query.size, link)),  # noqa: S704 - rendered here
        size=query.size,
        from_till=query.till is not None,
        then=query.then,
        is_public=is_public,
        form_id=uuid7(),
        link=link,
        change=change_to_give(receipt.payments),
        link_to=partial(_link_to, query),
        other=(next_language(language), language_name(next_language(language))),
        may_void=may_void,
        approvers=approvers,
    )


def draw_paper(receipt: Receipt, language: str, size: str, link: str | None) -> str:
    """What is printed. Its language is the customer's; the page around it stays in the user's."""
    code = "" if receipt.is_refund else f"{receipt.number:0{_CODE_DIGITS}}"
    values = {
        "receipt": receipt,
        "language": language,
        "is_right_to_left": is_right_to_left,
        "format": Formatter(language, receipt.tenant),
        "size": size,
        "seller": receipt.parties.seller,
        "taxes": _taxes(receipt.lines),
        "titles": [(code, _title(receipt, code)) for code in (language, other_language(language))],
        "qr": Markup(qr_svg(_qr_text(receipt), translate(language, N_("Code of the receipt")))),  # noqa: S704
        "link_qr": Markup(qr_svg(link, translate(language, N_("Address of the receipt")))) if link else None,  # noqa: S704
        "code": code,
        "barcode": draw_barcode(code),
    }
    return render_part(language, "receipt_paper.html", values)


def _link_to(query: ReceiptQuery, **changes: str) -> str:
    """This page in another size or language. It does not print again."""
    fields = {"till": query.till, "size": query.size, "language": query.language, **changes}
    return "?" + urlencode({name: value for name, value in fields.items() if value})


def _taxes(lines: Iterable[ReceiptLine]) -> list[tuple[Decimal, Decimal]]:
    """The tax of each rate."""
    taxed = [line for line in lines if line.tax_rate]
    rates = sorted({line.tax_rate for line in taxed})
    return [(rate, exact_sum(line.tax_amount for line in taxed if line.tax_rate == rate)) for rate in rates]


def _title(receipt: Receipt, language: str) -> str:
    """The paper has it in two languages."""
    if receipt.issued_at is None:
        return translate(language, NP_("paper", "Refund") if receipt.is_refund else NP_("paper", "Receipt"))
    number, is_credit = receipt.parties.seller.tax_registration_number, receipt.credit_note_number is not None
    return paper_title(number, receipt.buyer_tax_number, language, is_credit=is_credit)


def _qr_text(receipt: Receipt) -> str:
    """That of the invoice, if one is issued."""
    if receipt.qr:
        return receipt.qr
    seller, decimals = receipt.parties.seller, receipt.tenant.currency_decimals
    return make_qr(seller, abs(receipt.total), abs(receipt.tax_amount), receipt.date, decimals)
