"""Several orders that one person pays at once: a mother and her daughter, or a customer with two unpaid visits."""

from contextlib import suppress
from typing import Annotated, Literal
from urllib.parse import urlencode
from uuid import UUID

import msgspec
from markupsafe import Markup
from msgspec import Meta

from frontdesk.http.field_types import EnteredAmount
from frontdesk.http.responses import Response
from frontdesk.i18n.languages import Language, language_name, next_language
from frontdesk.i18n.texts import N_
from frontdesk.orders.types import Cashier, PaymentRequest
from frontdesk.payments.queries import list_method_choices
from frontdesk.postgres.query import fetch
from frontdesk.till.queries import find_cashier_code
from frontdesk.till.receipt_queries import change_to_give, list_receipts
from frontdesk.till.settle import PayTogether
from frontdesk.till.together_queries import drawer_state, visits_to_settle
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.form_idempotency import submit
from frontdesk.ui.shell.permissions import CASHIERS
from frontdesk.ui.shell.routing import Pages
from frontdesk.ui.till.receipt import draw_paper
from frontdesk.ui.till.state import PATH
from frontdesk.ui.till.waiting import PER_PAGE
from frontdesk.values.ids import uuid7
from frontdesk.values.money import exact_sum, format_amount

pages = Pages()
_TOGETHER = f"{PATH}/together"
_NOTHING_LEFT = N_("Nothing is left to pay of these orders. Nothing was taken now.")
_Ids = Annotated[list[UUID], Meta(max_length=PER_PAGE)]  # all that a page of Waiting to pay has


class TogetherQuery(msgspec.Struct):
    order: _Ids = []


class TogetherForm(TogetherQuery, kw_only=True):
    id: UUID
    seen: EnteredAmount  # what could be paid
    amount: EnteredAmount
    method: UUID
    given: EnteredAmount | None = None


class PapersQuery(TogetherQuery):
    size: Literal["80", "a4"] = "80"
    language: Language | None = None


@pages.get(_TOGETHER, CASHIERS)
async def show_together(context: PageContext, query: TogetherQuery | None = None) -> Response:
    ids = query.order if query else _sent_ids(context)
    async with context.connection() as conn:
        wanted = visits_to_settle(ids, context.branch_id, context.names_language)
        visits = await fetch(conn, context.tenant_id, wanted)
        methods = await list_method_choices(conn, context.tenant_id)
        drawer = await fetch(conn, context.tenant_id, drawer_state(context.branch_id, context.user.id))
    if not visits:
        said = N_("Choose the orders that are paid together.") if query else _NOTHING_LEFT
        return context.redirect(f"{PATH}/waiting", flash=said)
    return context.render(
        "till_together.html",
        422 if context.form.errors else 200,
        visits=visits,
        methods=methods,
        drawer=drawer,
        due=exact_sum(visit.remaining for visit in visits),
        form_id=uuid7(),
        here=f"{_TOGETHER}?{urlencode([('order', visit.id) for visit in visits])}",
        plain=lambda amount: format_amount(amount, context.tenant.currency_decimals),
    )


def _sent_ids(context: PageContext) -> list[UUID]:
    """Of a form that is refused."""
    ids = []
    for text in context.form.values.get("order", []):
        with suppress(ValueError):
            ids.append(UUID(text))
    return ids


@pages.post(_TOGETHER, CASHIERS, on_error=show_together)
async def pay_together(context: PageContext, form: TogetherForm) -> Response:
    name = context.user.name
    cashier = Cashier(name, await context.fetch(find_cashier_code(name)))
    given = form.given.amount if form.given else None
    request = PaymentRequest(form.amount.amount, form.method, None, None, None, None, given)
    act = PayTogether(context.branch_id, request, cashier, form.seen.amount, order_ids=tuple(form.order))
    papers = f"{_TOGETHER}/receipts?{urlencode([('order', id_) for id_ in form.order])}"
    return context.redirect(await submit(context, act, once=form.id, then=papers))


@pages.get(f"{_TOGETHER}/receipts", CASHIERS)
async def show_receipts(context: PageContext, query: PapersQuery) -> Response:
    """The receipts of all of them, which are printed one after the other."""
    receipts = await context.fetch(list_receipts(query.order))
    if not receipts:
        return context.redirect(f"{PATH}/waiting")
    language = query.language or context.language
    papers = [Markup(draw_paper(receipt, language, query.size, None)) for receipt in receipts]  # noqa: S704 - drawn here

    def link_to(**changes: str) -> str:
        fields = {"size": query.size, "language": query.language or "", **changes}
        return "?" + urlencode([*(("order", id_) for id_ in query.order), *((k, v) for k, v in fields.items() if v)])

    return context.render(
        "together_receipts.html",
        receipts=receipts,
        papers=papers,
        size=query.size,
        total=exact_sum(receipt.total for receipt in receipts),
        left=exact_sum(receipt.remaining for receipt in receipts),
        change=change_to_give([payment for receipt in receipts for payment in receipt.payments]),
        link_to=link_to,
        other=(next_language(language), language_name(next_language(language))),
    )
