"""The search of the top bar: customers by name, phone number or e-mail address, and an order by its number."""

import msgspec

from frontdesk.customers.list_queries import CustomerPage, CustomerSort, ListFilter, list_customers
from frontdesk.customers.search import search_words, split_matches, split_phone_matches
from frontdesk.http.field_types import FilterText
from frontdesk.http.responses import Response
from frontdesk.orders.filters import OrderFilter
from frontdesk.orders.queries.order_list import OrderPage, list_dashboard_orders
from frontdesk.postgres.query import fetch
from frontdesk.ui.customers.pages import own_staff_id, split_typed
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import ANY_ROLE, CASHIERS
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.pagination import PageRequest
from frontdesk.values.phones import digits_of

pages = Pages()
_MAX_CUSTOMERS = 10
_MAX_NUMBER_LENGTH = 15


class SearchQuery(msgspec.Struct):
    search: FilterText = ""


@pages.get("/search", ANY_ROLE)
async def show_results(context: PageContext, query: SearchQuery) -> Response:
    words = search_words(query.search)
    number = _order_number(query.search) if context.has_access(CASHIERS) else None
    customers, orders = CustomerPage([], 0), OrderPage([], 0)
    async with context.connection() as conn:
        if words:
            filter_ = ListFilter(words=words, staff_id=own_staff_id(context))
            page = PageRequest(1, _MAX_CUSTOMERS)
            customers = await fetch(conn, context.tenant_id, list_customers(filter_, CustomerSort.NEWEST, page))
        if number:
            numbered = list_dashboard_orders(OrderFilter(number=number), PageRequest(1, 1), context.names_language)
            orders = await fetch(conn, context.tenant_id, numbered)
    if customers.total + orders.total == 1:
        found = [f"/customers/{customer.id}" for customer in customers.customers]
        return context.redirect((found or [f"/orders/{order.id}" for order in orders.orders])[0])
    return context.render(
        "search.html",
        query=query,
        words=words,
        customers=customers,
        orders=orders.orders,
        marked=split_matches,
        marked_phone=split_phone_matches,
        typed=split_typed(query.search),
        may_edit=context.has_access(CASHIERS),
    )


def _order_number(text: str) -> int | None:
    digits = digits_of(text)
    is_number = digits and len(digits) <= _MAX_NUMBER_LENGTH and not any(letter.isalpha() for letter in text)
    return int(digits) if is_number else None
