"""Finding an earlier sale of which something comes back, and what comes back of it."""

import re
from typing import Annotated, Literal
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.http.field_types import FilterText
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.invoices.money_types import RefundRequest
from frontdesk.orders.types import MAX_LINES
from frontdesk.payments.queries import list_method_choices
from frontdesk.postgres.query import fetch
from frontdesk.refunds.refund import RefundOrder
from frontdesk.refunds.refund_lines import build_refund_lines
from frontdesk.till.queries import find_receipt_order
from frontdesk.ui.components.order_queries import DashboardOrder, get_dashboard_order
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import CASHIERS
from frontdesk.ui.shell.problems import page_problem
from frontdesk.ui.shell.routing import Pages
from frontdesk.ui.till.state import MAX_QUANTITY, PATH, new_state

pages = Pages()
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_MAX_DIGITS = 15


class ReturnQuery(msgspec.Struct):
    receipt: FilterText = ""
    order: UUID | None = None


class ReturnForm(msgspec.Struct):
    """`line` and `quantity` have the same order; an empty quantity means 0."""

    order: UUID
    method: UUID
    customer: UUID | None = None
    line: Annotated[list[UUID], Meta(max_length=MAX_LINES)] = []
    quantity: Annotated[list[Annotated[int, Meta(ge=0, le=MAX_QUANTITY)] | None], Meta(max_length=MAX_LINES)] = []
    restock: bool = False
    reason: Annotated[str, Meta(max_length=200)] = ""
    then: Literal["refund", "exchange"] = "refund"


@pages.get(f"{PATH}/return", CASHIERS)
async def show_return(context: PageContext, query: ReturnQuery | None = None) -> Response:
    order_id = query.order if query else _sent_order(context)
    found: DashboardOrder | None = None
    async with context.connection() as conn:
        if query and query.receipt and order_id is None:
            order_id = await fetch(conn, context.tenant_id, find_receipt_order(*_parse(query.receipt)))
            if order_id is not None:
                return context.redirect(f"{PATH}/return?order={order_id}")
            unknown = page_problem(N_("There is no receipt with this number."), "receipt")
            context.show_errors(context.error(unknown), {})
        methods = await list_method_choices(conn, context.tenant_id) if order_id else []
        if order_id is not None:
            found = await get_dashboard_order(conn, context.tenant_id, order_id, context.names_language)
    quantities = context.form.values.get("quantity", [])
    return context.render(
        "till_return.html",
        422 if context.form.errors else 200,
        order=found,
        number=query.receipt if query else "",
        rows=[(line, quantities[n] if n < len(quantities) else "0") for n, line in enumerate(found.lines)]
        if found
        else [],
        paid_by=_paid_by(found) if found else None,
        methods=[(method.id, context.format.localized(method.name)) for method in methods],
    )


@pages.post(f"{PATH}/return", CASHIERS, on_error=show_return)
async def take_back(context: PageContext, form: ReturnForm) -> Response:
    """Leads to the till, where the money is given back or others are taken instead."""
    if len(form.line) != len(form.quantity):
        raise page_problem(N_("The rows of the form do not match. Reload the page."), "lines")
    give = tuple((line, quantity) for line, quantity in zip(form.line, form.quantity, strict=True) if quantity)
    if not give:
        raise page_problem(N_("Enter how many come back."), "lines")
    await _check(context, form)
    state = new_state()._replace(
        back=form.order,
        customer=form.customer,
        give=give,
        back_method=form.method,
        restock="yes" if form.restock else "no",
        reason=form.reason,
        step="pay" if form.then == "refund" else "items",
    )
    return context.redirect(state.url)


async def _check(context: PageContext, form: ReturnForm) -> None:
    """As the refund will: its errors have the index of the row."""
    rows = {line: quantity or 0 for line, quantity in zip(form.line, form.quantity, strict=True)}
    request = RefundRequest(lines=rows)
    sale = await context.fetch(RefundOrder(form.order, request).load())
    build_refund_lines(sale.order, sale.sold, request, context.tenant.currency_decimals)


def _parse(text: str) -> tuple[int | None, UUID | None]:
    """The number on the receipt, or what a scanner reads from its address."""
    ids = list(_UUID.finditer(text.lower()))
    if ids:
        return None, UUID(ids[-1].group())
    digits = text.strip().lstrip("#")
    return (int(digits), None) if digits.isdecimal() and len(digits) <= _MAX_DIGITS else (None, None)


def _sent_order(context: PageContext) -> UUID | None:
    sent = context.form.values.get("order", [""])[-1]
    return UUID(sent) if _UUID.fullmatch(sent) else None


def _paid_by(order: DashboardOrder) -> UUID | None:
    """The method of the last payment, which the money goes back by unless another is chosen."""
    return next((payment.method_id for payment in order.payments if payment.amount > 0), None)
