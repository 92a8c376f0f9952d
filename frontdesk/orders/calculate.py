"""What a sale would come to. Nothing is written, and nothing is kept free for it."""

from frontdesk.errors import invalid
from frontdesk.orders.lines import CatalogSnapshot, line_errors, price_lines
from frontdesk.orders.pricing import Priced
from frontdesk.orders.queries.placing import get_order_context
from frontdesk.orders.types import OrderRequest
from frontdesk.postgres.pool import Connection
from frontdesk.tenants.types import TenantContext


async def calculate(conn: Connection, tenant: TenantContext, asked: OrderRequest) -> Priced:
    """The same pricing as an order's; the types of the lines are taken from the catalogue."""
    facts = await get_order_context(conn, tenant, asked)
    books = CatalogSnapshot(facts, asked)
    asked = asked._replace(lines=[line._replace(type=books.type_of(line.item_id)) for line in asked.lines])
    books = CatalogSnapshot(facts, asked)
    faults = line_errors(asked, books)
    if faults:
        raise invalid(faults)
    return price_lines(asked, [line.staff_id for line in asked.lines], books, tenant.currency_decimals)
