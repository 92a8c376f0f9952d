"""The list of orders: filters, counts, order, and saved views."""

from decimal import Decimal
from functools import partial
from urllib.parse import urlencode
from uuid import UUID

import msgspec

from frontdesk.customers.search import search_words
from frontdesk.http.dates import check_period
from frontdesk.http.field_types import CalendarDate, FilterText, PageNumber
from frontdesk.http.responses import Response
from frontdesk.orders.documents import PaymentStatus
from frontdesk.orders.filters import OrderFilter
from frontdesk.orders.types import Status
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import fetch
from frontdesk.problems import Problem
from frontdesk.ui.components.order_labels import BULK_ACTS, PAYMENTS, SORTS, STATUSES
from frontdesk.ui.components.order_list_queries import (
    MAX_COUNT,
    OrderPage,
    OrderSort,
    StatusCounts,
    count_by_status,
    list_choices,
    list_dashboard_orders,
)
from frontdesk.ui.orders.pages import PATH
from frontdesk.ui.orders.rows import written_orders
from frontdesk.ui.orders.search_queries import search_orders
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import CASHIERS, MANAGERS, RECEPTION
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.money import exact_sum
from frontdesk.values.pagination import PageRequest

pages = Pages()
PER_PAGE = 25
_NOT_SOLD = (Status.DRAFT, Status.CANCELED)


class OrderQuery(msgspec.Struct):
    from_: CalendarDate | None = msgspec.field(name="from", default=None)
    to: CalendarDate | None = None
    starts_from: CalendarDate | None = None
    starts_to: CalendarDate | None = None
    status: Status | None = None
    payment: PaymentStatus | None = None
    branch: UUID | None = None
    staff: UUID | None = None
    customer: UUID | None = None
    application: UUID | None = None
    search: FilterText = ""
    sort: OrderSort = OrderSort.NEWEST
    page: PageNumber = 1

    def filter(self) -> OrderFilter:
        from_date, to_date = check_period(self.from_, self.to)
        starts_from, starts_to = check_period(self.starts_from, self.starts_to)
        return OrderFilter(
            from_date,
            to_date,
            self.status,
            self.payment,
            self.branch,
            customer_id=self.customer,
            staff_id=self.staff,
            starts_from=starts_from,
            starts_to=starts_to,
            client_id=self.application,
        )

    def link(self, **changes: str | int | None) -> str:
        """A link to this list with changed filters, on the first page unless `page` is given."""
        query = self.encoded(**changes)
        return f"{PATH}?{query}" if query else PATH

    def encoded(self, **changes: str | int | None) -> str:
        names = zip(self.__struct_encode_fields__, self.__struct_fields__, strict=True)
        parameters = {name: getattr(self, field) for name, field in names if name != "page"} | changes
        return urlencode(
            {name: str(value) for name, value in parameters.items() if value not in (None, "", 1, OrderSort.NEWEST)}
        )

    @property
    def has_filters(self) -> bool:
        periods = self.from_ or self.to or self.starts_from or self.starts_to
        return bool(periods or self.payment or self.branch or self.staff or self.customer or self.application)

    @property
    def has_more_filters(self) -> bool:
        """Of those that the page shows only on request."""
        others = self.starts_from or self.starts_to or self.application or self.branch
        return bool(others or self.sort is not OrderSort.NEWEST)

    @property
    def is_whole(self) -> bool:
        """Whether all orders are listed."""
        return not (self.has_filters or self.search or self.status)


async def search(context: PageContext, conn: Connection, query: OrderQuery) -> tuple[OrderFilter, StatusCounts | None]:
    """The filter of the list, with the numbers of the orders in place of what was typed, and their counts."""
    filter_, words = query.filter(), search_words(query.search)
    if not words:
        return filter_, None
    found = await fetch(conn, context.tenant_id, search_orders(words, query.search, filter_, query.sort))
    return OrderFilter(status=filter_.status, numbers=tuple(found.numbers)), found.counts


async def _list(
    context: PageContext, query: OrderQuery, conn: Connection
) -> tuple[OrderPage, StatusCounts, StatusCounts | None]:
    """One page, and how many orders have each status: all of them, or those that the search has found."""
    filter_, searched = await search(context, conn, query)
    page = PageRequest(query.page, PER_PAGE)
    listed = list_dashboard_orders(filter_, page, context.names_language, query.sort)
    found = await fetch(conn, context.tenant_id, listed)
    if searched is not None:
        return found, StatusCounts(), searched
    return found, await fetch(conn, context.tenant_id, count_by_status(filter_)), None


@pages.get(PATH, CASHIERS)
async def show_orders(context: PageContext, query: OrderQuery) -> Response:
    found, counts, searched = OrderPage([], 0), StatusCounts(), None
    choices = await context.fetch(list_choices(context.user.id, query.customer))
    try:
        found, counts, searched = await context.request.read_late(context.tenant_id, partial(_list, context, query))
    except Problem as raised:
        context.show_errors(context.error(raised), {})
    if not found.rows and query.page > 1:
        return context.redirect(query.link())
    return context.render(
        "orders.html",
        422 if context.form.errors else 200,
        found=found,
        rows=written_orders(context, found.rows, many_branches=len(choices.branches) > 1, has_focus=bool(query.search)),
        query=query,
        choices=choices,
        branches=choices.branches,
        counts={status: _count(searched or counts, status) for status in Status},
        count_of_all=_count(searched or counts, *Status),
        is_complete=searched is None or searched.is_complete,
        sum=_sum(counts, query.status) if context.has_access(MANAGERS) else None,
        has_others=query.status is None and any(counts.by_status.get(status) for status in _NOT_SOLD),
        may_book=context.has_access(RECEPTION),
        first=(query.page - 1) * PER_PAGE + 1,
        statuses=STATUSES,
        payments=PAYMENTS,
        sorts=SORTS,
        bulk_acts=BULK_ACTS,
    )


def _sum(counts: StatusCounts, status: Status | None) -> Decimal | None:
    """Of the orders of the status, or of all but drafts and canceled ones; None if not all of them were read."""
    if not counts.sums or not counts.is_complete:
        return None
    shown = [status] if status else [sold for sold in Status if sold not in _NOT_SOLD]
    return exact_sum(counts.sums.get(shown_status, Decimal(0)) for shown_status in shown)


def _count(counts: StatusCounts, *statuses: Status) -> str:
    """With + if there may be more; without a number if not even one was counted."""
    found = [counts.by_status.get(status, 0) for status in statuses]
    count = sum(min(number, MAX_COUNT) for number in found)
    if max(found) > MAX_COUNT:
        return f"{count:,}+"
    if counts.is_complete:
        return f"{count:,}"
    return f"{count:,}+" if count else ""
