"""The search of the top bar: customers by name, phone number or e-mail address, orders by number, items and staff."""

import msgspec

from frontdesk.catalog.list_queries import list_catalogue
from frontdesk.catalog.page_types import CatalogueFilter, CatalogueRow
from frontdesk.customers.list_queries import CustomerPage, CustomerSort, ListFilter, list_customers
from frontdesk.customers.search import search_words, split_matches, split_phone_matches
from frontdesk.http.field_types import FilterText
from frontdesk.http.responses import Response
from frontdesk.orders.filters import OrderFilter, typed_number
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import fetch
from frontdesk.staff.list_queries import ListedStaff, list_staff_rows
from frontdesk.ui.catalog.labels import ONE_KIND
from frontdesk.ui.catalog.pages import visible_kinds
from frontdesk.ui.components.order_list_queries import OrderPage, list_dashboard_orders
from frontdesk.ui.customers.pages import restricted_staff_id, split_typed
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import ANY_ROLE, CASHIERS, RECEPTION
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.pagination import PageRequest
from frontdesk.values.text import search_key

pages = Pages()
_MAX_CUSTOMERS = 10
_MAX_OTHERS = 8  # items, staff


class SearchQuery(msgspec.Struct):
    search: FilterText = ""


@pages.get("/search", ANY_ROLE)
async def show_results(context: PageContext, query: SearchQuery) -> Response:
    words = search_words(query.search)
    number = typed_number(query.search) if context.has_access(CASHIERS) else None
    customers, orders = CustomerPage([], 0), OrderPage([], 0)
    items: list[CatalogueRow] = []
    staff: list[ListedStaff] = []
    async with context.connection() as conn:
        if words:
            filter_ = ListFilter(words=words, staff_id=restricted_staff_id(context))
            page = PageRequest(1, _MAX_CUSTOMERS)
            customers = await fetch(conn, context.tenant_id, list_customers(filter_, CustomerSort.NEWEST, page))
        if number:
            numbered = list_dashboard_orders(OrderFilter(number=number), PageRequest(1, 1), context.names_language)
            orders = await fetch(conn, context.tenant_id, numbered)
        if words:
            items = await _find_items(context, conn, query.search)
            staff = await _find_staff(context, conn, query.search)
    found = [
        *(f"/orders/{order.id}" for order in orders.orders),
        *(f"/customers/{customer.id}" for customer in customers.customers),
        *(f"/catalogue/{item.id}" for item in items),
        *(f"/staff/{member.id}" for member in staff),
    ]
    if len(found) == 1:
        return context.redirect(found[0])
    return context.render(
        "search.html",
        query=query,
        words=words,
        customers=customers,
        orders=orders.orders,
        items=items,
        staff=staff,
        kinds=ONE_KIND,
        marked=split_matches,
        marked_phone=split_phone_matches,
        typed=split_typed(query.search),
        may_edit=context.has_access(CASHIERS),
    )


async def _find_items(context: PageContext, conn: Connection, text: str) -> list[CatalogueRow]:
    filter_ = CatalogueFilter(visible_kinds(context), search=search_key(text), code=text.strip())
    found = await fetch(conn, context.tenant_id, list_catalogue(filter_, PageRequest(1, _MAX_OTHERS)))
    return [row.read() for row in found.rows]


async def _find_staff(context: PageContext, conn: Connection, text: str) -> list[ListedStaff]:
    """Providers see only themselves, and need no search for that."""
    if not context.has_access(RECEPTION):
        return []
    listed = list_staff_rows(PageRequest(1, _MAX_OTHERS), active=True, branch_id=None, text=search_key(text))
    return (await fetch(conn, context.tenant_id, listed)).rows
