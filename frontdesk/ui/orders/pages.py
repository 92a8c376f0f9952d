"""Orders: the list, one order with all that happened to it, and its status."""

from typing import Literal
from urllib.parse import urlencode
from uuid import UUID

import msgspec

from frontdesk.errors import WireError
from frontdesk.http.dates import check_period
from frontdesk.http.field_types import CalendarDate, FilterText, LongText, PageNumber
from frontdesk.http.responses import Response
from frontdesk.orders.change_status import SettableStatus, change_status, find_cancel_problem
from frontdesk.orders.filters import OrderFilter
from frontdesk.orders.json_sql import PaymentStatus
from frontdesk.orders.queries.dashboard_list import (
    DashboardOrder,
    OrderPage,
    get_dashboard_order,
    list_dashboard_orders,
)
from frontdesk.orders.types import Actor, Status
from frontdesk.tenants.queries import list_branch_names
from frontdesk.ui.orders.labels import AUTHORS, PAYMENTS, SOURCES, STATUSES, TRANSACTIONS
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.i18n import N_
from frontdesk.ui.shell.permissions import ANY_ROLE, CASHIERS
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.ids import uuid7
from frontdesk.values.pagination import PageRequest
from frontdesk.values.phones import digits_of
from frontdesk.values.text import search_key

pages = Pages()
HERE = "/orders"
PER_PAGE = 25
_MAX_PHONE_LENGTH = 15


class OrderQuery(msgspec.Struct):
    from_: CalendarDate | None = msgspec.field(name="from", default=None)
    to: CalendarDate | None = None
    status: Status | None = None
    payment: PaymentStatus | None = None
    branch: UUID | None = None
    search: FilterText = ""
    page: PageNumber = 1

    def filter(self) -> OrderFilter:
        first, last = check_period(self.from_, self.to)
        digits, name = _searched(self.search)
        return OrderFilter(first, last, self.status, self.payment, self.branch, digits, name)

    def link(self, **changes: str | int | None) -> str:
        """To this list with something changed; a change of the filter begins at the first page."""
        names = zip(self.__struct_encode_fields__, self.__struct_fields__, strict=True)
        asked = {name: getattr(self, field) for name, field in names if name != "page"} | changes
        given = {name: str(value) for name, value in asked.items() if value not in (None, "", 1)}
        return f"{HERE}?{urlencode(given)}" if given else HERE

    @property
    def is_narrowed(self) -> bool:
        return bool(self.from_ or self.to or self.payment or self.branch)


def _searched(text: str) -> tuple[str | None, str | None]:
    """Digits are an order's number or a part of a phone number, written as people do; anything else is a name."""
    digits = digits_of(text)
    if digits and len(digits) <= _MAX_PHONE_LENGTH and not any(letter.isalpha() for letter in text):
        return digits.lstrip("0") or "0", None
    return None, search_key(text) or None


class StatusForm(msgspec.Struct):
    status: Literal["confirmed", "in-progress", "completed"]
    note: LongText | None = None


class CancelForm(msgspec.Struct):
    note: LongText | None = None


@pages.get(HERE, ANY_ROLE)
async def show_orders(context: PageContext, query: OrderQuery) -> Response:
    async with context.connection() as conn:
        branches = await list_branch_names(conn, context.tenant_id)
        try:
            wanted = PageRequest(query.page, PER_PAGE)
            found = await list_dashboard_orders(conn, context.tenant, query.filter(), wanted, context.names_language)
        except WireError as wrong:
            context.show_errors(wrong, {})
            found = OrderPage([], 0)
    if not found.orders and query.page > 1:
        return context.redirect(query.link())
    return context.render(
        "orders.html",
        422 if context.form.errors else 200,
        found=found,
        query=query,
        branches=branches,
        first=(query.page - 1) * PER_PAGE + 1,
        statuses=STATUSES,
        payments=PAYMENTS,
        sources=SOURCES,
    )


@pages.get(f"{HERE}/{{order_id}}", ANY_ROLE)
async def show_order(context: PageContext, order_id: UUID) -> Response:
    async with context.connection() as conn:
        order = await get_dashboard_order(conn, context.tenant_id, order_id, context.names_language)
    return context.render(
        "order.html",
        order=order,
        moves=_moves(order),
        cancel_refusal=_cancel_problem(order),
        form_id=uuid7(),
        at_counter=context.has_access(CASHIERS),
        statuses=STATUSES,
        sources=SOURCES,
        authors=AUTHORS,
        transactions=TRANSACTIONS,
    )


def _moves(order: DashboardOrder) -> list[Status]:
    """Where its status can go; canceling has a page of its own, and a refund is done once it is made."""
    moves = (Status.CONFIRMED, Status.IN_PROGRESS, Status.COMPLETED)
    is_final = order.sale is not None or (order.status == Status.CANCELED and order.refunded_amount > 0)
    return [] if is_final else [status for status in moves if status != order.status]


def _cancel_problem(order: DashboardOrder) -> WireError | None:
    return find_cancel_problem(
        invoiced=order.invoice is not None,
        is_refund=order.sale is not None,
        refunded=bool(order.refunds),
        wholly_refunded=bool(order.refunds) and order.refundable <= 0,
        coming=order.is_coming,
    )


@pages.post(f"{HERE}/{{order_id}}/status", ANY_ROLE, on_error=show_order)
async def submit_status(context: PageContext, order_id: UUID, form: StatusForm) -> Response:
    async with context.connection() as conn:
        await change_status(conn, context.tenant, order_id, SettableStatus(form.status), form.note, by(context))
    return context.redirect(f"{HERE}/{order_id}", flash=N_("Status changed."))


@pages.get(f"{HERE}/{{order_id}}/cancel", CASHIERS)
async def confirm_cancel(context: PageContext, order_id: UUID) -> Response:
    async with context.connection() as conn:
        order = await get_dashboard_order(conn, context.tenant_id, order_id)
    return context.render("order_cancel.html", order=order, refusal=_cancel_problem(order))


@pages.post(f"{HERE}/{{order_id}}/cancel", CASHIERS, on_error=confirm_cancel)
async def cancel(context: PageContext, order_id: UUID, form: CancelForm) -> Response:
    async with context.connection() as conn:
        await change_status(conn, context.tenant, order_id, SettableStatus.CANCELED, form.note, by(context))
    return context.redirect(f"{HERE}/{order_id}", flash=N_("Order canceled."))


def by(context: PageContext) -> Actor:
    return Actor("user", context.user.id)
