"""The filters of an exported list: those of the page that shows it."""

from collections.abc import Awaitable, Callable
from typing import Literal, NamedTuple
from uuid import UUID

import msgspec

from frontdesk.activity.queries import activity_conditions
from frontdesk.catalog.list_queries import item_conditions, package_conditions
from frontdesk.customers.list_queries import customer_conditions
from frontdesk.exports.list_types import ListName
from frontdesk.exports.queries import Conditions, in_period, of_branch, of_drawer, of_item, refused_messages
from frontdesk.http.dates import check_period
from frontdesk.http.field_types import CalendarDate, FilterText
from frontdesk.staff.list_queries import staff_conditions
from frontdesk.ui.activity.pages import ActivityQuery
from frontdesk.ui.catalog.pages import CatalogueQuery
from frontdesk.ui.customers.pages import CustomerQuery
from frontdesk.ui.day_close.day_close import ClosesQuery
from frontdesk.ui.day_close.pages import BranchQuery
from frontdesk.ui.messages.pages import NoticeQuery
from frontdesk.ui.orders.list import OrderQuery, search
from frontdesk.ui.shell.context import PageContext
from frontdesk.values.text import search_key


class PeriodQuery(msgspec.Struct):
    from_: CalendarDate | None = msgspec.field(name="from", default=None)
    to: CalendarDate | None = None


class StockQuery(PeriodQuery):
    item: UUID | None = None


class StaffExportQuery(msgspec.Struct):
    """Of the page of staff; without `show`, those who work here and those who have left."""

    show: Literal["working", "left"] | None = None
    branch: UUID | None = None
    search: FilterText = ""


class Filter(NamedTuple):
    query: type[msgspec.Struct]
    read: Callable[..., Awaitable[Conditions]]  # of the page's context and its query


async def period_conditions(name: ListName, _: PageContext, query: PeriodQuery) -> Conditions:
    return in_period(name, *check_period(query.from_, query.to))


async def _orders(context: PageContext, query: OrderQuery) -> Conditions:
    async with context.connection() as conn:
        filter_, _ = await search(context, conn, query)
    return [*in_period(ListName.ORDERS, filter_.first, filter_.last), *filter_.conditions().items()]


async def _customers(context: PageContext, query: CustomerQuery) -> Conditions:
    return customer_conditions(query.filter(context))


async def _items(context: PageContext, query: CatalogueQuery) -> Conditions:
    return item_conditions(query.filter(context))


async def _packages(context: PageContext, query: CatalogueQuery) -> Conditions:
    return package_conditions(query.filter(context))


async def _staff(_: PageContext, query: StaffExportQuery) -> Conditions:
    active = None if query.show is None else query.show == "working"
    return staff_conditions(active, query.branch, search_key(query.search))


async def _stock(_: PageContext, query: StockQuery) -> Conditions:
    return [*of_item(query.item), *in_period(ListName.STOCK, *check_period(query.from_, query.to))]


async def _drawer(_: PageContext, query: BranchQuery) -> Conditions:
    return of_drawer(query.branch)


async def _day_closes(_: PageContext, query: ClosesQuery) -> Conditions:
    return of_branch(query.branch)


async def _messages(_: PageContext, query: NoticeQuery) -> Conditions:
    return refused_messages() if query.show == "failed" else []


async def _activity(_: PageContext, query: ActivityQuery) -> Conditions:
    return list(activity_conditions(query.filter()).items())


FILTERS = {
    ListName.CUSTOMERS: Filter(CustomerQuery, _customers),
    ListName.ITEMS: Filter(CatalogueQuery, _items),
    ListName.PACKAGES: Filter(CatalogueQuery, _packages),
    ListName.STAFF: Filter(StaffExportQuery, _staff),
    ListName.ORDERS: Filter(OrderQuery, _orders),
    ListName.STOCK: Filter(StockQuery, _stock),
    ListName.DRAWER: Filter(BranchQuery, _drawer),
    ListName.DAY_CLOSES: Filter(ClosesQuery, _day_closes),
    ListName.MESSAGES: Filter(NoticeQuery, _messages),
    ListName.ACTIVITY: Filter(ActivityQuery, _activity),
}
