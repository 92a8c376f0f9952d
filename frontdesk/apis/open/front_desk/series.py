"""Bookings that repeat."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.apis.open.orders import OrderItemCreate, order_line
from frontdesk.auth.scopes import Scope
from frontdesk.http.endpoints import Endpoints
from frontdesk.http.errors import Code
from frontdesk.http.field_types import CalendarDate, DateTimeInput, LongText, ShortText
from frontdesk.http.pagination import DataResponse
from frontdesk.http.problems import ValueProblem
from frontdesk.http.request import Request
from frontdesk.http.responses import Response, data_response
from frontdesk.orders.types import MAX_LINES, OrderRequest, Source
from frontdesk.problems import Problem
from frontdesk.scheduling.book import MAX_OCCURRENCES, MAX_WEEKS, BookingRequest, BookSeries, Repetition, starts_of
from frontdesk.scheduling.cancel_series import CancelSeries
from frontdesk.scheduling.documents import OrderSeries
from frontdesk.scheduling.series_queries import published_series
from frontdesk.tenants.cancel_reason_queries import cancel_reasons, find_reason
from frontdesk.values.ids import uuid7

operations = Endpoints()

_FIELDS = {"branch_id": "team_id", "lines": "items", "lines.#.item_id": "items.#.id"}


class OrderSeriesCreate(msgspec.Struct):
    team_id: UUID
    customer_id: UUID
    items: Annotated[list[OrderItemCreate], Meta(min_length=1, max_length=MAX_LINES)]
    start: DateTimeInput
    every_weeks: Annotated[int, Meta(ge=1, le=MAX_WEEKS)]
    times: Annotated[int, Meta(ge=2, le=MAX_OCCURRENCES)] | None = None
    until: CalendarDate | None = None
    note: LongText | None = None


class OrderSeriesCancel(msgspec.Struct):
    following: bool | None = False
    reason: ShortText | None = None
    note_for_status: LongText | None = None
    notify: bool | None = None


@operations.post(
    "/order-series",
    scope=Scope.ORDERS_WRITE,
    fields=_FIELDS,
    response=DataResponse[OrderSeries],
    status=201,
    creates="order_series",
    errors=[Code.VALIDATION_ERROR, Code.TIMESLOT_UNAVAILABLE, Code.AVAILABILITY_CHECK_FAILED],
)
def create_order_series(body: OrderSeriesCreate) -> BookSeries:
    """Book an appointment that repeats: an order for each time, all of them or none.

    Send `times` or `until`, and `start` without an offset: all begin at the same time of day.
    """
    if (body.times is None) == (body.until is None):
        raise Problem(ValueProblem.REQUIRED, "times")
    order = OrderRequest(
        branch_id=body.team_id,
        customer_id=body.customer_id,
        start=body.start.written,
        lines=[order_line(line) for line in body.items],
        note=body.note,
        payments=[],
        source=Source.API,
    )
    repetition = Repetition(body.every_weeks, body.until.day if body.until else None, body.times)
    return BookSeries(BookingRequest(order), starts_of(body.start.written, repetition), body.every_weeks, uuid7())


@operations.get(
    "/orders/{uuid}/series", scope=Scope.ORDERS_READ, response=DataResponse[OrderSeries], errors=[Code.NOT_FOUND]
)
async def get_order_series(request: Request, uuid: UUID) -> Response:
    """Retrieve the series that an order belongs to, with all its orders."""
    return data_response(await request.fetch(published_series(uuid)))


async def _prepare_cancel(request: Request, act: CancelSeries) -> CancelSeries:
    """Finds the reason in the list of the business."""
    if act.reason_name is None:
        return act
    return msgspec.structs.replace(act, reason=find_reason(await request.fetch(cancel_reasons()), act.reason_name))


@operations.post(
    "/orders/{uuid}/series/cancel",
    scope=Scope.ORDERS_WRITE,
    prepare=_prepare_cancel,
    response=DataResponse[OrderSeries],
    errors=[Code.NOT_FOUND, Code.VALIDATION_ERROR, Code.ORDER_HAS_INVOICE, Code.INVALID_STATUS_TRANSITION],
)
def cancel_order_series(uuid: UUID, body: OrderSeriesCancel) -> CancelSeries:
    """Cancel an order of a series, and with `following` those after it. The customer gets one message.

    One of those after it that cannot be canceled, because it has an invoice, stays as it is.
    """
    return CancelSeries(uuid, bool(body.following), body.note_for_status, notify=body.notify, reason_name=body.reason)
