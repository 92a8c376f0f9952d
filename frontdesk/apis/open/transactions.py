from uuid import UUID

import msgspec

from frontdesk.auth.scopes import Scope
from frontdesk.errors import Code, invalid
from frontdesk.http.dates import check_period
from frontdesk.http.endpoints import Endpoints
from frontdesk.http.field_types import CalendarDate
from frontdesk.http.pagination import DataResponse, PageQuery, PageResponse, list_response
from frontdesk.http.request import Request
from frontdesk.http.responses import Response, data_response
from frontdesk.orders.filters import TransactionFilter
from frontdesk.orders.json_sql import Transaction
from frontdesk.orders.queries import reading
from frontdesk.payments.types import TransactionStatus

operations = Endpoints()


class TransactionQuery(PageQuery, kw_only=True):
    status: TransactionStatus | None = None
    order_id: UUID | None = None
    booking_id: UUID | None = None
    from_: CalendarDate | None = msgspec.field(name="from", default=None)
    to: CalendarDate | None = None


@operations.get("/transactions", scope=Scope.TRANSACTIONS_READ, response=PageResponse[Transaction])
async def list_transactions(request: Request, query: TransactionQuery) -> Response:
    """List payments and refunds, newest first."""
    first, last = check_period(query.from_, query.to)
    filter_ = TransactionFilter(first, last, query.status, query.order_id, query.booking_id)
    tenant_id = request.caller.tenant_id
    async with request.connection() as conn:
        page = await reading.list_transactions(conn, request.caller.tenant, filter_, query.request())
        if page.total == 0:
            # An unknown record is a mistake to be told of, not an empty list.
            if query.order_id is not None and not await reading.exists_order(conn, tenant_id, query.order_id):
                raise invalid({"order_id": ["is not an order of this business"]})
            if query.booking_id is not None and not await reading.exists_booking(conn, tenant_id, query.booking_id):
                raise invalid({"booking_id": ["is not a booking of this business"]})
    return list_response(request, query, page)


@operations.get(
    "/transactions/{id}", scope=Scope.TRANSACTIONS_READ, response=DataResponse[Transaction], errors=[Code.NOT_FOUND]
)
async def get_transaction(request: Request, uuid: UUID) -> Response:
    """Retrieve a payment or refund."""
    async with request.connection() as conn:
        return data_response(await reading.get_transaction(conn, request.caller.tenant, uuid))
