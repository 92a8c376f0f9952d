from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.apis.changes import read_list
from frontdesk.apis.custom_data import CustomDataFields, CustomDataQuery, stores
from frontdesk.auth.scopes import Scope
from frontdesk.custom_data.queries import with_custom_data
from frontdesk.http.dates import check_period
from frontdesk.http.endpoints import EndpointDocs, Endpoints
from frontdesk.http.errors import Code
from frontdesk.http.field_types import (
    CalendarDate,
    Count,
    DateTimeInput,
    LongText,
    Money,
    NonNegativeMoney,
    PositiveMoney,
    ShortText,
)
from frontdesk.http.pagination import DataResponse, PageResponse
from frontdesk.http.request import Request
from frontdesk.http.responses import Response, data_response, encode
from frontdesk.orders.change_status import ChangeOrderStatus, SettableStatus
from frontdesk.orders.create import CreateOrder
from frontdesk.orders.custom_data import StoreOrderData
from frontdesk.orders.documents import CreatedOrder, OrderDetail, OrderSummary, PaymentStatus, Transaction
from frontdesk.orders.filters import OrderFilter
from frontdesk.orders.pay import PayOrder
from frontdesk.orders.queries import reading
from frontdesk.orders.queries.trace_queries import order_to_trace
from frontdesk.orders.trace import trace_order
from frontdesk.orders.trace_documents import OrderTrace
from frontdesk.orders.types import MAX_LINES, LineType, OrderLineRequest, OrderRequest, PaymentRequest, Source, Status
from frontdesk.refunds.cancel import CancelOrder
from frontdesk.scheduling.reschedule import RequestedProvider, RescheduleOrder
from frontdesk.tenants.cancel_reason_queries import cancel_reasons, find_reason
from frontdesk.values.pagination import ChangesSince

operations = Endpoints()
_ORDER_FIELDS = {
    "branch_id": "team_id",
    "lines": "items",
    "lines.#.item_id": "items.#.id",
    "payments.#": "payment",
    "discount": "discount.amount",
}


class OrderQuery(CustomDataQuery, kw_only=True):
    from_: CalendarDate | None = msgspec.field(name="from", default=None)
    to: CalendarDate | None = None
    status: Status | None = None
    payment_status: PaymentStatus | None = None
    customer_id: UUID | None = None
    staff_id: UUID | None = None
    branch_id: UUID | None = None
    starts_from: CalendarDate | None = None
    starts_to: CalendarDate | None = None


class OrderItemCreate(msgspec.Struct):
    id: UUID
    type: LineType
    quantity: Count
    staff_id: UUID | None = None
    unit_amount: NonNegativeMoney | None = None
    discount_amount: NonNegativeMoney | None = None
    option_id: UUID | None = None


class InlinePayment(msgspec.Struct):
    amount: PositiveMoney
    payment_method_id: UUID | None = None
    payment_method_type: ShortText | None = None
    reference_number: ShortText | None = None
    date: DateTimeInput | None = None
    note: LongText | None = None


class OrderCreate(CustomDataFields):
    team_id: UUID
    customer_id: UUID
    items: Annotated[list[OrderItemCreate], Meta(min_length=1, max_length=MAX_LINES)]
    start: DateTimeInput | None = None
    note: LongText | None = None
    payment: InlinePayment | None = None
    hold_id: UUID | None = None


class OrderUpdate(CustomDataFields):
    """Omitted fields keep their values; null clears a field."""


class OrderStatusUpdate(msgspec.Struct):
    status: SettableStatus
    note_for_status: LongText | None = None


class OrderCancel(msgspec.Struct):
    reason: ShortText | None = None
    note_for_status: LongText | None = None
    no_show: bool | None = False
    notify: bool | None = None


class StaffAssignment(msgspec.Struct):
    line_id: UUID
    staff_id: UUID | None


class OrderReschedule(msgspec.Struct):
    start: DateTimeInput
    items: Annotated[list[StaffAssignment], Meta(max_length=MAX_LINES)] = []


class PaymentCreate(msgspec.Struct):
    amount: PositiveMoney
    payment_method_id: UUID
    note: LongText | None = None
    reference_number: ShortText | None = None
    date: DateTimeInput | None = None


@operations.get("/orders", scope=Scope.ORDERS_READ, response=PageResponse[OrderSummary], takes_fields=True)
async def list_orders(request: Request, query: OrderQuery) -> Response:
    """List orders, newest first."""
    return await read_list(request, query, lambda since: reading.list_orders(_filter(query, since), query.request()))


def _filter(query: OrderQuery, since: ChangesSince | None) -> OrderFilter:
    first, last = check_period(query.from_, query.to)
    starts_from, starts_to = check_period(query.starts_from, query.starts_to, ("starts_from", "starts_to"))
    return OrderFilter(
        first,
        last,
        query.status,
        payment_status=query.payment_status,
        branch_id=query.branch_id,
        customer_id=query.customer_id,
        staff_id=query.staff_id,
        starts_from=starts_from,
        starts_to=starts_to,
        since=since,
        own=query.own(),
    )


@operations.get(
    "/orders/{uuid}",
    scope=Scope.ORDERS_READ,
    response=DataResponse[OrderDetail],
    takes_fields=True,
    errors=[Code.NOT_FOUND],
)
async def get_order(request: Request, uuid: UUID) -> Response:
    """Retrieve an order with its items, bookings, status history and transactions."""
    return data_response(await request.fetch(with_custom_data(reading.get_order(uuid), "order")))


@operations.get(
    "/orders/{uuid}/trace", scope=Scope.ORDERS_READ, response=DataResponse[OrderTrace], errors=[Code.NOT_FOUND]
)
async def get_order_trace(request: Request, uuid: UUID) -> Response:
    """Explain an order: why each line costs what it costs, who performs it and why, and which payment settles what."""
    stored = await request.fetch(order_to_trace(uuid))
    may_read_payments = Scope.TRANSACTIONS_READ in request.caller.scopes
    return Response(encode(DataResponse(trace_order(stored, with_payments=may_read_payments))))


@operations.post(
    "/orders",
    scope=Scope.ORDERS_WRITE,
    field_scopes={"payment": Scope.TRANSACTIONS_WRITE},
    fields=_ORDER_FIELDS,
    response=DataResponse[CreatedOrder],
    status=201,
    creates="order",
    adds=stores("order", is_new=True),
    errors=[
        Code.VALIDATION_ERROR,
        Code.EXTERNAL_ID_TAKEN,
        Code.TIMESLOT_UNAVAILABLE,
        Code.PAYMENT_METHOD_NOT_FOUND,
        Code.PAYMENT_METHOD_TYPE_AMBIGUOUS,
        Code.PAYMENT_METHOD_REQUIRED,
        Code.PAYMENT_METHOD_UNAVAILABLE,
        Code.AVAILABILITY_CHECK_FAILED,
    ],
)
def create_order(body: OrderCreate) -> CreateOrder:
    """Create an order, optionally with an inline payment.

    The response is short: id, number, statuses, total and the payment. `GET /orders/{uuid}` and the operations that
    change an order answer with all of it.
    """
    return CreateOrder(_order_request(body))


def _order_request(body: OrderCreate) -> OrderRequest:
    return OrderRequest(
        branch_id=body.team_id,
        customer_id=body.customer_id,
        start=body.start.written if body.start else None,
        lines=[order_line(line) for line in body.items],
        note=body.note,
        payments=[_payment(body.payment)] if body.payment else [],
        source=Source.API,
        hold_id=body.hold_id,
    )


@operations.patch(
    "/orders/{uuid}",
    scope=Scope.ORDERS_WRITE,
    response=DataResponse[OrderDetail],
    adds=stores("order"),
    errors=[Code.NOT_FOUND, Code.VALIDATION_ERROR, Code.EXTERNAL_ID_TAKEN],
)
def update_order(uuid: UUID, body: OrderUpdate) -> StoreOrderData:  # noqa: ARG001 - `adds` stores it
    """Change what the application stores with an order. Nothing else of the order changes, and no event is emitted."""
    return StoreOrderData(uuid)


@operations.post(
    "/orders/{uuid}/status",
    scope=Scope.ORDERS_WRITE,
    response=DataResponse[OrderDetail],
    errors=[
        Code.NOT_FOUND,
        Code.VALIDATION_ERROR,
        Code.ORDER_HAS_INVOICE,
        Code.INVALID_STATUS_TRANSITION,
        Code.TIMESLOT_UNAVAILABLE,
        Code.AVAILABILITY_CHECK_FAILED,
    ],
)
def update_order_status(uuid: UUID, body: OrderStatusUpdate) -> ChangeOrderStatus:
    """Update the status of an order.

    Setting the current status again succeeds and changes nothing.
    """
    return ChangeOrderStatus(uuid, body.status, body.note_for_status)


async def _prepare_cancel(request: Request, act: CancelOrder) -> CancelOrder:
    """Finds the reason in the list of the business."""
    if act.reason_name is None:
        return act
    return msgspec.structs.replace(act, reason=find_reason(await request.fetch(cancel_reasons()), act.reason_name))


@operations.post(
    "/orders/{uuid}/cancel",
    scope=Scope.ORDERS_WRITE,
    prepare=_prepare_cancel,
    response=DataResponse[OrderDetail],
    errors=[Code.NOT_FOUND, Code.VALIDATION_ERROR, Code.INVALID_STATUS_TRANSITION],
    docs=EndpointDocs(shows={"status": Status.CANCELED}),
)
def cancel_order(uuid: UUID, body: OrderCancel) -> CancelOrder:
    """Cancel an order, also one that has an invoice or refunds, as the dashboard does.

    The rest of an invoice is credited, and what was paid stays paid until it is refunded. Canceling again succeeds and
    changes nothing.
    """
    return CancelOrder(uuid, body.note_for_status, bool(body.no_show), body.notify, reason_name=body.reason)


@operations.post(
    "/orders/{uuid}/reschedule",
    scope=Scope.ORDERS_WRITE,
    fields={"lines": "items"},
    response=DataResponse[OrderDetail],
    errors=[
        Code.NOT_FOUND,
        Code.VALIDATION_ERROR,
        Code.ORDER_NOT_RESCHEDULABLE,
        Code.TIMESLOT_UNAVAILABLE,
        Code.AVAILABILITY_CHECK_FAILED,
    ],
)
def reschedule_order(uuid: UUID, body: OrderReschedule) -> RescheduleOrder:
    """Reschedule the appointment of an order.

    Setting the current time again succeeds and changes nothing.
    """
    providers = [RequestedProvider(line.line_id, line.staff_id) for line in body.items]
    return RescheduleOrder(uuid, body.start.written, providers)


@operations.post(
    "/orders/{id}/payments",
    scope=Scope.TRANSACTIONS_WRITE,
    response=DataResponse[Transaction],
    status=201,
    creates="transaction",
    errors=[
        Code.NOT_FOUND,
        Code.VALIDATION_ERROR,
        Code.ORDER_IS_DRAFT,
        Code.ORDER_CANCELED,
        Code.PAYMENT_METHOD_NOT_FOUND,
        Code.PAYMENT_METHOD_UNAVAILABLE,
    ],
)
def create_payment(uuid: UUID, body: PaymentCreate) -> PayOrder:
    """Record a payment against an order."""
    return PayOrder(uuid, _payment_request(body))


def _payment_request(body: PaymentCreate) -> PaymentRequest:
    return PaymentRequest(
        amount=body.amount,
        method_id=body.payment_method_id,
        method_type=None,
        reference_number=body.reference_number,
        date=body.date.written if body.date else None,
        note=body.note,
    )


def order_line(line: OrderItemCreate) -> OrderLineRequest:
    return OrderLineRequest(
        item_id=line.id,
        type=line.type,
        quantity=line.quantity,
        staff_id=line.staff_id,
        unit_amount=line.unit_amount,
        discount_amount=line.discount_amount or Money(0),
        option_ids=(line.option_id,) if line.option_id else (),
    )


def _payment(payment: InlinePayment) -> PaymentRequest:
    return PaymentRequest(
        amount=payment.amount,
        method_id=payment.payment_method_id,
        method_type=payment.payment_method_type,
        reference_number=payment.reference_number,
        date=payment.date.written if payment.date else None,
        note=payment.note,
    )
