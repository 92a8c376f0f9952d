"""Reading orders in the POS API."""

from typing import Annotated
from uuid import UUID

from msgspec import Meta

from frontdesk.apis.references import require_known
from frontdesk.http.endpoints import Endpoints
from frontdesk.http.errors import Code
from frontdesk.http.field_types import CalendarDate, FilterText
from frontdesk.http.pagination import DataResponse, PageQuery, PageResponse, list_response
from frontdesk.http.request import Request
from frontdesk.http.responses import Response, data_response
from frontdesk.orders.documents import PosOrderDetail, PosOrderSummary
from frontdesk.orders.filters import OrderFilter
from frontdesk.orders.queries import reading
from frontdesk.orders.types import Status

operations = Endpoints()


class PosOrderQuery(PageQuery, kw_only=True):
    number: Annotated[int, Meta(ge=1, le=2**53)] | None = None
    day: CalendarDate | None = None
    customer_id: UUID | None = None
    cashier: FilterText | None = None
    status: Status | None = None


@operations.get("/pos/orders", response=PageResponse[PosOrderSummary])
async def list_pos_orders(request: Request, query: PosOrderQuery) -> Response:
    """List orders, newest first.

    A key that is bound to a branch lists only the orders of that branch.
    """
    day = query.day.day if query.day else None
    filter_ = OrderFilter(
        day,
        day,
        query.status,
        of_key_branch=True,
        customer_id=query.customer_id,
        number=query.number,
        cashier=query.cashier or None,
    )
    page = await request.fetch(reading.list_pos_orders(filter_, query.request()))
    return list_response(request, query, require_known(page))


@operations.get("/pos/orders/{orderId}", response=DataResponse[PosOrderDetail], errors=[Code.NOT_FOUND])
async def get_pos_order(request: Request, uuid: UUID) -> Response:
    """Retrieve an order with everything its receipt shows."""
    return data_response(await request.fetch(reading.get_pos_order_detail(uuid)))
