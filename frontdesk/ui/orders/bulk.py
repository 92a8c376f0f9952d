"""One act on many orders: a preview of what happens and what is refused, then each order on its own, row by row."""

from collections.abc import AsyncIterator, Sequence
from typing import Annotated, Any, NamedTuple
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.exports.csv_lines import CSV_TYPE, csv_lines
from frontdesk.http.decoding import decode_query
from frontdesk.http.field_types import LongText
from frontdesk.http.responses import Response, download
from frontdesk.i18n.texts import N_
from frontdesk.invoices.issue import IssueInvoice
from frontdesk.orders.bulk import BulkAct, ChangeStatusInBulk, find_problem
from frontdesk.orders.change_status import SettableStatus
from frontdesk.orders.filters import OrderFilter
from frontdesk.orders.types import Source, Status
from frontdesk.postgres.act import Act
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import fetch
from frontdesk.postgres.write import run
from frontdesk.problems import Problem
from frontdesk.ui.components.order_labels import BULK_ACTS, PAYMENTS, SOURCES, STATUSES
from frontdesk.ui.components.order_list_queries import ListedOrder, list_dashboard_orders
from frontdesk.ui.orders.bulk_queries import MAX_ORDERS, BulkOrder, list_states
from frontdesk.ui.orders.list import OrderQuery, search
from frontdesk.ui.orders.pages import PATH
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import CASHIERS
from frontdesk.ui.shell.problems import forbidden, page_problem
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.money import format_amount
from frontdesk.values.pagination import MAX_PER_PAGE, PageRequest

pages = Pages()
_MANAGERS_ONLY = (BulkAct.EXPORT,)
_Ids = Annotated[list[UUID], Meta(max_length=MAX_ORDERS)]


class BulkForm(msgspec.Struct):
    act: BulkAct
    order: _Ids = []
    everything: bool = False  # all that match the filters of `query`
    query: Annotated[str, Meta(max_length=2000)] = ""


class RunForm(msgspec.Struct):
    act: BulkAct
    order: _Ids = []
    version: Annotated[list[int], Meta(max_length=MAX_ORDERS)] = []
    query: Annotated[str, Meta(max_length=2000)] = ""
    note: LongText | None = None


class Outcome(NamedTuple):
    order: BulkOrder
    problem: str | None  # None: it is done, or will be


@pages.post(f"{PATH}/bulk", CASHIERS)
async def preview(context: PageContext, form: BulkForm) -> Response:
    _check_role(context, form.act)
    async with context.connection() as conn:
        if form.act is BulkAct.EXPORT:
            return download(_csv(context, await _listed(context, conn, form)), "orders.csv", CSV_TYPE)
        ids = [order.id for order in await _listed(context, conn, form)] if form.everything else form.order
        orders = await list_states(conn, context.tenant_id, ids)
    outcomes = [Outcome(order, context.problem_text(find_problem(form.act, order.state))) for order in orders]
    return context.render(
        "orders_bulk.html",
        act=form.act,
        act_name=BULK_ACTS[form.act],
        query=form.query,
        outcomes=outcomes,
        is_done=False,
    )


@pages.post(f"{PATH}/bulk/run", CASHIERS)
async def run_bulk(context: PageContext, form: RunForm) -> Response:
    _check_role(context, form.act)
    if len(form.order) != len(form.version):
        raise page_problem(N_("The rows of the form do not match. Reload the page."), "order")
    versions = dict(zip(form.order, form.version, strict=True))
    outcomes = []
    async with context.connection() as conn:
        for order in await list_states(conn, context.tenant_id, form.order):
            try:
                act = _act(context, order.state.id, versions[order.state.id], form)
                await run(conn, context.tenant, act, actor=context.actor)
                outcomes.append(Outcome(order, None))
            except Problem as problem:
                outcomes.append(Outcome(order, context.problem_text(problem)))
    return context.render(
        "orders_bulk.html",
        act=form.act,
        act_name=BULK_ACTS[form.act],
        query=form.query,
        outcomes=outcomes,
        is_done=True,
    )


def _check_role(context: PageContext, act: BulkAct) -> None:
    if act in _MANAGERS_ONLY and not context.is_manager:
        raise forbidden(N_("Your role does not give you access to this page."))


def _filters(query: str) -> OrderQuery:
    return decode_query(query.encode(), OrderQuery)


async def _listed(context: PageContext, conn: Connection, form: BulkForm) -> list[ListedOrder]:
    """The selected orders, or all that match the filters; at most `MAX_ORDERS`."""
    filter_ = OrderFilter(ids=tuple(form.order))
    if form.everything:
        filter_, _ = await search(context, conn, _filters(form.query))
    found: list[ListedOrder] = []
    for page in range(1, MAX_ORDERS // MAX_PER_PAGE + 1):
        listed = list_dashboard_orders(filter_, PageRequest(page, MAX_PER_PAGE), context.names_language)
        found += (await fetch(conn, context.tenant_id, listed)).orders
    return found


def _act(context: PageContext, order_id: UUID, version: int, form: RunForm) -> Act[Any]:
    if form.act is BulkAct.INVOICE:
        return IssueInvoice(order_id, version)
    status = SettableStatus.CANCELED if form.act is BulkAct.CANCEL else SettableStatus.COMPLETED
    return ChangeStatusInBulk(
        order_id,
        status,
        form.note,
        at_desk=True,
        version=version,
        may_forgive=context.is_manager,
        bulk_act=form.act,
        document=None,
    )


async def _csv(context: PageContext, orders: Sequence[ListedOrder]) -> AsyncIterator[bytes]:
    heads = (
        N_("No."),
        N_("Created"),
        N_("Appointment"),
        N_("Customer"),
        N_("Phone"),
        N_("Items"),
        N_("Provider"),
        N_("Branch"),
        N_("Source"),
        N_("Status"),
        N_("Payment"),
        N_("Total"),
    )
    yield csv_lines([[context.translate(head) for head in heads]], first=True)
    yield csv_lines(
        [
            str(order.number),
            context.format.local(order.placed_at).strftime("%Y-%m-%d %H:%M"),
            context.format.local(order.starts_at).strftime("%Y-%m-%d %H:%M") if order.starts_at else "",
            order.customer or "",
            order.phone or "",
            ", ".join(order.items),
            ", ".join(order.staff),
            order.branch,
            context.translate(SOURCES[Source(order.source)]),
            context.translate(STATUSES[Status(order.status)]),
            context.translate(PAYMENTS[order.payment_status]),
            format_amount(order.total, context.tenant.currency_decimals),
        ]
        for order in orders
    )
