"""Counts for the list of customers, which its script fetches when the page is shown."""

from frontdesk.customers.count_queries import count_customers
from frontdesk.http.responses import Response
from frontdesk.ui.customers.pages import AWAY, PATH, format_count
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import CASHIERS
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.clock import current_time

pages = Pages()


@pages.get(f"{PATH}/counts", CASHIERS)
async def show_counts(context: PageContext) -> Response:
    """Duplicates are counted only for those who may merge customers."""
    query = count_customers(current_time() - AWAY, with_duplicates=context.is_manager)
    counts = await context.fetch(query)
    return context.render("customer_counts.html", counts=counts, count=format_count)
