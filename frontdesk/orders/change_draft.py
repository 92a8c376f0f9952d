"""The act of changing a draft: its lines are replaced as a whole, its number stays."""

from uuid import UUID

from frontdesk.errors import Code, WireError, invalid
from frontdesk.orders.lines import (
    CatalogSnapshot,
    check_order,
    order_lines,
    price_lines,
    stock_use,
    verify_client_totals,
)
from frontdesk.orders.queries.changing import lock_order, replace_draft
from frontdesk.orders.queries.placing import get_order_context
from frontdesk.orders.types import NewOrder, OrderRequest, Status
from frontdesk.postgres.pool import Connection
from frontdesk.tenants.types import TenantContext


async def change_draft(conn: Connection, tenant: TenantContext, order_id: UUID, asked: OrderRequest) -> None:
    """Nothing is taken and nothing is freed: a draft holds neither time nor stock."""
    if asked.payments:
        raise WireError(Code.ORDER_IS_DRAFT, "A draft takes no payments. Confirm it first.")
    async with conn.transaction():
        order = await lock_order(conn, tenant.tenant_id, order_id)
        if order.status is not Status.DRAFT:
            raise invalid({"status": ["is no longer draft, so the order cannot be changed"]})
        asked = asked._replace(draft=True, branch_id=order.branch_id)
        books = CatalogSnapshot(await get_order_context(conn, tenant, asked), asked)
        check_order(asked, books)
        staff = [line.staff_id for line in asked.lines]
        priced = price_lines(asked, staff, books, tenant.currency_decimals)
        verify_client_totals(asked, priced, tenant.currency_decimals)
        lines = order_lines(asked, staff, [None for _ in asked.lines], priced, books)
        await replace_draft(
            conn,
            tenant.tenant_id,
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
