"""What a sale would come to. Nothing is written, and nothing is kept free for it."""

from frontdesk.errors import invalid
from frontdesk.orders.lines import Books, line_faults, price_lines
from frontdesk.orders.pricing import Priced
from frontdesk.orders.queries.placing import get_order_facts
from frontdesk.orders.types import AskedOrder
from frontdesk.postgres.pool import Connection
from frontdesk.tenants.types import Business


async def calculate(conn: Connection, business: Business, asked: AskedOrder) -> Priced:
    """The same pricing as an order's; the types of the lines are taken from the catalogue."""
    facts = await get_order_facts(conn, business, asked)
    books = Books(facts, asked)
    asked = asked._replace(lines=[line._replace(type=books.type_of(line.item_id)) for line in asked.lines])
    books = Books(facts, asked)
    faults = line_faults(asked, books)
    if faults:
        raise invalid(faults)
    return price_lines(asked, [line.staff_id for line in asked.lines], books, business.currency_decimals)
