"""The page on which the lines of an order are changed: a preview first, then one save."""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal, InvalidOperation
from uuid import UUID

import msgspec

from frontdesk.http.forms import convert_form, read_form
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.orders.edit import EditedOrder, EditOrder, OrderEdit, find_edit_problem
from frontdesk.orders.problems import EditProblem
from frontdesk.orders.types import Status
from frontdesk.postgres.act import Context
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import fetch
from frontdesk.problems import Problem
from frontdesk.ui.orders.edit_form import (
    MAX_LINES,
    BackAddress,
    EditForm,
    apply_act,
    filled_form,
    row_key,
    with_lines_of,
)
from frontdesk.ui.orders.edit_queries import EditableOrder, editable_order
from frontdesk.ui.orders.edit_view import new_providers, row_views, span_after, span_before, stock_changes, sums
from frontdesk.ui.orders.pages import PATH
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.local_paths import local_path
from frontdesk.ui.shell.permissions import CASHIERS
from frontdesk.ui.shell.problems import PageError
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.money import format_amount
from frontdesk.values.text import search_key

pages = Pages()
_Fields = dict[str, list[str]]
_WHOLE_ORDER = ("start", "search", "order_discount", "discount_kind", "discount_all", "note")  # fields that no line has


class EditQuery(msgspec.Struct):
    back: BackAddress = ""


@pages.get(f"{PATH}/{{order_id}}/edit", CASHIERS)
async def show_edit(context: PageContext, order_id: UUID, query: EditQuery | None = None) -> Response:
    """Also shows the form again after an error, with what was sent."""
    if query:
        return await _show(context, order_id, None, query.back)
    return await _show(context, order_id, apply_act(context.form.values), context.form.value("back", ""))


@pages.post(f"{PATH}/{{order_id}}/edit", CASHIERS, on_error=show_edit)
async def edit(context: PageContext, order_id: UUID, form: EditForm) -> Response:
    if form.act != "save":
        return await _show(context, order_id, apply_act(read_form(context.request.raw_body)), form.back)
    order_edit = _allowed(context, form)
    await context.run(_act(context, order_id, order_edit, _shown_total(form)))
    return context.redirect(local_path(form.back or f"{PATH}/{order_id}"), flash=N_("Order changed."))


def _allowed(context: PageContext, form: EditForm) -> OrderEdit:
    if form.has_prices and not context.is_manager:
        raise Problem(EditProblem.NEEDS_MANAGER)
    return form.edit()


def _act(context: PageContext, order_id: UUID, order_edit: OrderEdit, shown_total: Decimal | None = None) -> EditOrder:
    return EditOrder(order_id, order_edit, shown_total, may_discount=context.is_manager)


def _shown_total(form: EditForm) -> Decimal:
    """What equals no total if the page has shown none."""
    try:
        return Decimal(form.total)
    except InvalidOperation:
        return Decimal("NaN")


def _total(context: PageContext, edited: EditedOrder) -> str:
    return format_amount(edited.total, context.tenant.currency_decimals)


async def _show(context: PageContext, order_id: UUID, sent: _Fields | None, back: str) -> Response:
    fields: _Fields = sent or {}
    keys = [row_key(text) for text in fields.get("row", [])]
    search = search_key((fields.get("search") or [""])[-1])
    query = editable_order(order_id, [key.item_id for key in keys if key], search)
    async with context.connection() as conn:
        order = await fetch(conn, context.tenant_id, query)
        problem = _problem(context, order)
        if sent is None:
            fields = filled_form(order, _local(context, order.starts_at))
        with_lines_of(order, fields)
        edited, refusal = None, None
        if sent is not None and problem is None:
            edited, refusal = await _preview(context, conn, order, fields)
    errors = {**context.form.errors, **(refusal.errors or {} if refusal else {})}
    views = row_views(order, fields, edited, errors)
    changes = sum(view.state != "same" for view in views)
    return context.render(
        "order_edit.html",
        422 if refusal is not None and context.request.method == "POST" else 200,
        order=order,
        back=local_path(back) if back else "",
        entered={name: (fields.get(name) or [""])[-1] for name in _WHOLE_ORDER},
        views=views,
        edited=edited,
        changes=changes + (edited is not None and edited.discount != order.discount),
        problem=problem,
        refusal=None if refusal is None or refusal.errors else refusal,
        alternatives=_alternatives(refusal),
        span_before=span_before(order),
        span_after=span_after(order, edited) if edited else None,
        providers=new_providers(views),
        stock=stock_changes(order, edited) if edited else [],
        sums=sums(order, edited, views),
        previewed=_total(context, edited) if edited else "",
        found=[item for item_id in order.found for item in order.items if item.id == item_id],
    )


def _problem(context: PageContext, order: EditableOrder) -> str | None:
    if len(order.lines) > MAX_LINES:
        return context.translate(N_("The order has too many lines to be changed on this page."))
    problem = find_edit_problem(
        status=Status(order.status), is_refund=order.is_refund, invoiced=order.invoiced, refunded=order.refunded
    )
    return context.problem_text(problem)


async def _preview(
    context: PageContext, conn: Connection, order: EditableOrder, fields: Mapping[str, list[str]]
) -> tuple[EditedOrder | None, PageError | None]:
    """The order as it would become, or why it cannot."""
    try:
        order_edit = _allowed(context, convert_form(fields, EditForm))
        act = _act(context, order.id, order_edit)
        loaded = await fetch(conn, context.tenant_id, act.load())
        return act.build(Context(context.tenant, context.actor, loaded)), None
    except Problem as raised:
        return None, context.error(raised)


def _local(context: PageContext, moment: datetime | None) -> datetime | None:
    return None if moment is None else context.format.local(moment).replace(tzinfo=None)


def _alternatives(refusal: PageError | None) -> list[datetime]:
    """The nearest local times at which the whole order could begin."""
    found = refusal.problem.values.get("alternatives", []) if refusal else []
    return [alternative.start for alternative in found]
