"""The act of changing a draft: its lines are replaced as a whole, its number stays."""

from uuid import UUID

from frontdesk.errors import Code, WireError, invalid
from frontdesk.orders.lines import Books, check_order, check_stated, order_lines, price_lines, stock_use
from frontdesk.orders.queries.changing import lock_order, replace_draft
from frontdesk.orders.queries.placing import get_order_facts
from frontdesk.orders.types import AskedOrder, NewOrder, Status
from frontdesk.postgres.pool import Connection
from frontdesk.tenants.types import Business


async def change_draft(conn: Connection, business: Business, order_id: UUID, asked: AskedOrder) -> None:
    """Nothing is taken and nothing is freed: a draft holds neither time nor stock."""
    if asked.payments:
        raise WireError(Code.ORDER_IS_DRAFT, "A draft takes no payments: confirm it first.")
    async with conn.transaction():
        order = await lock_order(conn, business.tenant_id, order_id)
        if order.status is not Status.DRAFT:
            raise invalid({"status": ["is not draft any more: the order cannot be changed"]})
        asked = asked._replace(draft=True, branch_id=order.branch_id)
        books = Books(await get_order_facts(conn, business, asked), asked)
        check_order(asked, books)
        staff = [line.staff_id for line in asked.lines]
        priced = price_lines(asked, staff, books, business.currency_decimals)
        check_stated(asked, priced, business.currency_decimals)
        lines = order_lines(asked, staff, [None for _ in asked.lines], priced, books)
        await replace_draft(
            conn,
            business.tenant_id,
            NewOrder(
                id=order.id,
                asked=asked,
                branch_id=order.branch_id,
                status=Status.DRAFT,
                sub_total=priced.sub_total,
                discount_amount=priced.discount_amount,
                total=priced.total,
                lines=lines,
                bookings=[],
                stock=stock_use(asked, lines, books),
                payments=[],
            ),
        )
