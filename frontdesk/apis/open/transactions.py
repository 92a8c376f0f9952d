from uuid import UUID

import msgspec

from frontdesk.apis.changes import ChangesQuery, read_list
from frontdesk.auth.scopes import Scope
from frontdesk.http.dates import check_period
from frontdesk.http.endpoints import Endpoints
from frontdesk.http.errors import Code
from frontdesk.http.field_types import CalendarDate
from frontdesk.http.pagination import DataResponse, PageResponse
from frontdesk.http.request import Request
from frontdesk.http.responses import Response, data_response
from frontdesk.orders.documents import Transaction
from frontdesk.orders.filters import TransactionFilter
from frontdesk.orders.queries import reading
from frontdesk.payments.types import TransactionStatus

operations = Endpoints()


class TransactionQuery(ChangesQuery, kw_only=True):
    status: TransactionStatus | None = None
    order_id: UUID | None = None
    booking_id: UUID | None = None
    from_: CalendarDate | None = msgspec.field(name="from", default=None)
    to: CalendarDate | None = None


@operations.get("/transactions", scope=Scope.TRANSACTIONS_READ, response=PageResponse[Transaction], takes_fields=True)
async def list_transactions(request: Request, query: TransactionQuery) -> Response:
    """List payments and refunds, newest first."""
    first, last = check_period(query.from_, query.to)
    filter_ = TransactionFilter(first, last, query.status, query.order_id, query.booking_id)
    return await read_list(
        request, query, lambda since: reading.list_transactions(filter_._replace(since=since), query.request())
    )


@operations.get(
    "/transactions/{id}",
    scope=Scope.TRANSACTIONS_READ,
    response=DataResponse[Transaction],
    takes_fields=True,
    errors=[Code.NOT_FOUND],
)
async def get_transaction(request: Request, uuid: UUID) -> Response:
    """Retrieve a payment or refund."""
    return data_response(await request.fetch(reading.get_transaction(uuid)))
