"""Looking sales up at the till."""

from typing import Annotated
from uuid import UUID

from msgspec import Meta

from frontdesk.apis.pos.branches import require_order
from frontdesk.errors import Code, invalid
from frontdesk.http.endpoints import Operations
from frontdesk.http.field_types import CalendarDate, FilterText
from frontdesk.http.pagination import DataOf, PageOf, PageQuery, list_answer
from frontdesk.http.request import Call
from frontdesk.http.responses import Answer, data_answer
from frontdesk.orders.filters import OrderFilter
from frontdesk.orders.json_sql import TillListItem, TillOrderDetail
from frontdesk.orders.queries.reading import find_unknown, get_till_order_detail, list_till_orders
from frontdesk.orders.types import Status

operations = Operations()


class SaleQuery(PageQuery, kw_only=True):
    number: Annotated[int, Meta(ge=1, le=2**53)] | None = None
    day: CalendarDate | None = None
    customer_id: UUID | None = None
    cashier: FilterText | None = None
    status: Status | None = None


@operations.get("/pos/orders", answer=PageOf[TillListItem])
async def get_till_orders(call: Call, query: SaleQuery) -> Answer:
    """List sales and other orders, newest first; a key that is bound to a branch lists its orders alone."""
    day = query.day.day if query.day else None
    filter_ = OrderFilter(
        day,
        day,
        query.status,
        branch_id=call.caller.branch_id,
        customer_id=query.customer_id,
        number=query.number,
        cashier=query.cashier or None,
    )
    async with call.connection() as conn:
        page = await list_till_orders(conn, call.caller.business, filter_, query.request())
        if page.total == 0 and query.customer_id is not None:
            unknown = await find_unknown(conn, call.caller.tenant_id, query.customer_id, None, None)
            if unknown:
                raise invalid(unknown)
    return list_answer(call, query, page)


@operations.get("/pos/orders/{orderId}", answer=DataOf[TillOrderDetail], errors=[Code.NOT_FOUND])
async def get_one_till_order(call: Call, uuid: UUID) -> Answer:
    """Read one sale with all that goes on its receipt."""
    async with call.connection() as conn:
        await require_order(conn, call, uuid)
        return data_answer(await get_till_order_detail(conn, call.caller.business, uuid))
