from uuid import UUID

import msgspec

from frontdesk.auth.scopes import Scope
from frontdesk.errors import Code, invalid
from frontdesk.http.dates import check_period
from frontdesk.http.endpoints import Operations
from frontdesk.http.field_types import CalendarDate
from frontdesk.http.pagination import DataOf, PageOf, PageQuery, list_answer
from frontdesk.http.request import Call
from frontdesk.http.responses import Answer, data_answer
from frontdesk.orders.filters import TransactionFilter
from frontdesk.orders.json_sql import Transaction
from frontdesk.orders.queries.reading import exists_booking, exists_order, get_transaction, list_transactions
from frontdesk.payments.types import TransactionStatus

operations = Operations()


class TransactionQuery(PageQuery, kw_only=True):
    status: TransactionStatus | None = None
    order_id: UUID | None = None
    booking_id: UUID | None = None
    from_: CalendarDate | None = msgspec.field(name="from", default=None)
    to: CalendarDate | None = None


@operations.get("/transactions", scope=Scope.TRANSACTIONS_READ, answer=PageOf[Transaction])
async def get_transactions(call: Call, query: TransactionQuery) -> Answer:
    """List payments and refunds, newest first."""
    first, last = check_period(query.from_, query.to)
    filter_ = TransactionFilter(first, last, query.status, query.order_id, query.booking_id)
    tenant_id = call.caller.tenant_id
    async with call.connection() as conn:
        page = await list_transactions(conn, call.caller.business, filter_, query.request())
        if page.total == 0:
            # An unknown record is a mistake to be told of, not an empty list.
            if query.order_id is not None and not await exists_order(conn, tenant_id, query.order_id):
                raise invalid({"order_id": ["is not an order of this business"]})
            if query.booking_id is not None and not await exists_booking(conn, tenant_id, query.booking_id):
                raise invalid({"booking_id": ["is not a booking of this business"]})
    return list_answer(call, query, page)


@operations.get(
    "/transactions/{id}", scope=Scope.TRANSACTIONS_READ, answer=DataOf[Transaction], errors=[Code.NOT_FOUND]
)
async def get_one_transaction(call: Call, uuid: UUID) -> Answer:
    """Read one payment or refund."""
    async with call.connection() as conn:
        return data_answer(await get_transaction(conn, call.caller.business, uuid))
