"""What the books say about everything that an order names: asked for, or kept in mind since somebody asked.

Facts belong to an edition of the business's books, and are kept under it. Of a customer and of stock nothing is kept.
"""

from uuid import UUID

import msgspec

from frontdesk.kit.db import Connection
from frontdesk.kit.memory import Memory
from frontdesk.orders.queries.placing import get_order_facts
from frontdesk.orders.types import AskedOrder, CustomerFacts, OrderFacts
from frontdesk.tenants.types import Business

Names = tuple[
    UUID | None,
    tuple[tuple[UUID, UUID | None, tuple[UUID, ...]], ...],
    tuple[tuple[UUID | None, str | None], ...],
]

_kept: Memory[tuple[Business, Names], OrderFacts] = Memory(4096)
_WELCOME = CustomerFacts(blocked=False)


async def look_up_facts(conn: Connection, business: Business, asked: AskedOrder) -> OrderFacts:
    facts = await get_order_facts(conn, business, asked)
    if business.edition is not None:
        _kept.keep((business, _names(asked)), msgspec.structs.replace(facts, customer=_WELCOME))
    return facts


def recall_facts(business: Business, asked: AskedOrder) -> OrderFacts | None:
    """With a customer who is presumed to be welcome, and stock as it was then; None where nobody has asked yet."""
    return _kept.recall((business, _names(asked)))


def _names(asked: AskedOrder) -> Names:
    lines = tuple((line.item_id, line.staff_id, line.option_ids) for line in asked.lines)
    payments = tuple((payment.method_id, payment.method_type) for payment in asked.payments)
    return asked.branch_id, lines, payments
