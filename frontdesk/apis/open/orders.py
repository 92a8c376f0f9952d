from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.apis.open.authentication import require_scope
from frontdesk.auth.scopes import Scope
from frontdesk.errors import Code, invalid
from frontdesk.http.dates import check_period, instant, required_instant
from frontdesk.http.endpoints import Operations
from frontdesk.http.field_types import CalendarDate, Count, LongText, Moment, Money, ShortText
from frontdesk.http.pagination import DataOf, PageOf, PageQuery, list_answer
from frontdesk.http.rate_limit_headers import MOST_LINES
from frontdesk.http.request import Call
from frontdesk.http.responses import Answer, data_answer
from frontdesk.orders.change_status import ChangedStatus, change_status
from frontdesk.orders.create import place_order
from frontdesk.orders.filters import OrderFilter
from frontdesk.orders.json_sql import CreatedOrder, OrderDetail, OrderListItem, PaymentStatus, Transaction
from frontdesk.orders.pay import pay_order
from frontdesk.orders.queries.reading import find_unknown, get_order, list_orders
from frontdesk.orders.reschedule import WantedProvider, reschedule_order
from frontdesk.orders.types import Actor, AskedLine, AskedOrder, AskedPayment, LineType, Source, Status
from frontdesk.values.time import get_zone, period_bounds

operations = Operations()


class OrderQuery(PageQuery, kw_only=True):
    from_: CalendarDate | None = msgspec.field(name="from", default=None)
    to: CalendarDate | None = None
    status: Status | None = None
    payment_status: PaymentStatus | None = None
    customer_id: UUID | None = None
    staff_id: UUID | None = None
    branch_id: UUID | None = None
    starts_from: CalendarDate | None = None
    starts_to: CalendarDate | None = None
    updated_since: Moment | None = None


class OrderLine(msgspec.Struct):
    id: UUID
    type: LineType
    quantity: Count
    staff_id: UUID | None = None
    unit_amount: Money | None = None
    discount_amount: Money | None = None


class InlinePayment(msgspec.Struct):
    amount: Money
    payment_method_id: UUID | None = None
    payment_method_type: ShortText | None = None
    reference_number: ShortText | None = None
    date: Moment | None = None
    note: LongText | None = None


class OrderToPlace(msgspec.Struct):
    team_id: UUID
    customer_id: UUID
    items: Annotated[list[OrderLine], Meta(min_length=1, max_length=MOST_LINES)]
    start: Moment | None = None
    note: LongText | None = None
    payment: InlinePayment | None = None


class StatusToSet(msgspec.Struct):
    status: ChangedStatus
    note_for_status: LongText | None = None


class LineToReschedule(msgspec.Struct):
    line_id: UUID
    staff_id: UUID | None


class TimeToSet(msgspec.Struct):
    start: Moment
    items: Annotated[list[LineToReschedule], Meta(max_length=MOST_LINES)] = []


class PaymentToRecord(msgspec.Struct):
    amount: Money
    payment_method_id: UUID
    note: LongText | None = None
    reference_number: ShortText | None = None
    date: Moment | None = None


@operations.get("/orders", scope=Scope.ORDERS_READ, answer=PageOf[OrderListItem])
async def get_orders(call: Call, query: OrderQuery) -> Answer:
    """List orders, newest first."""
    filter_ = _filter(query, call.caller.business.timezone)
    named = (query.customer_id, query.staff_id, query.branch_id)
    async with call.connection() as conn:
        page = await list_orders(conn, call.caller.business, filter_, query.request())
        if page.total == 0 and any(named):
            unknown = await find_unknown(conn, call.caller.tenant_id, *named)
            if unknown:
                raise invalid(unknown)
    return list_answer(call, query, page)


def _filter(query: OrderQuery, timezone: str) -> OrderFilter:
    first, last = check_period(query.from_, query.to)
    starts = check_period(query.starts_from, query.starts_to, ("starts_from", "starts_to"))
    begin, end = period_bounds(starts, get_zone(timezone))
    return OrderFilter(
        first,
        last,
        query.status,
        payment_status=query.payment_status,
        branch_id=query.branch_id,
        customer_id=query.customer_id,
        staff_id=query.staff_id,
        starts_from=begin,
        starts_before=end,
        updated_since=instant(query.updated_since, timezone, "updated_since"),
    )


@operations.get("/orders/{uuid}", scope=Scope.ORDERS_READ, answer=DataOf[OrderDetail], errors=[Code.NOT_FOUND])
async def get_one_order(call: Call, uuid: UUID) -> Answer:
    """Read one order with its lines, history, bookings and transactions."""
    async with call.connection() as conn:
        return data_answer(await get_order(conn, call.caller.business, uuid))


@operations.post(
    "/orders",
    scope=Scope.ORDERS_WRITE,
    answer=DataOf[CreatedOrder],
    status=201,
    looks_first=True,
    errors=[
        Code.VALIDATION_ERROR,
        Code.TIMESLOT_UNAVAILABLE,
        Code.PAYMENT_METHOD_NOT_FOUND,
        Code.PAYMENT_METHOD_TYPE_AMBIGUOUS,
        Code.PAYMENT_METHOD_REQUIRED,
        Code.PAYMENT_METHOD_UNAVAILABLE,
        Code.AVAILABILITY_CHECK_FAILED,
    ],
)
async def post_order(call: Call, body: OrderToPlace) -> Answer:
    """Create an order, optionally with an inline payment."""
    if body.payment is not None:
        require_scope(call, Scope.TRANSACTIONS_WRITE)
        call.also_scope = Scope.TRANSACTIONS_WRITE
    zone = call.caller.business.timezone
    asked = AskedOrder(
        branch_id=body.team_id,
        customer_id=body.customer_id,
        start=instant(body.start, zone, "start"),
        lines=[_line(line) for line in body.items],
        note=body.note,
        payments=[_payment(body.payment, zone)] if body.payment else [],
        source=Source.API,
        actor=_actor(call),
    )
    async with call.connection() as conn:
        placed = await place_order(conn, call.caller.business, asked)
    return data_answer(placed.document, 201)


@operations.post(
    "/orders/{uuid}/status",
    scope=Scope.ORDERS_WRITE,
    answer=DataOf[OrderDetail],
    errors=[
        Code.NOT_FOUND,
        Code.VALIDATION_ERROR,
        Code.ORDER_HAS_INVOICE,
        Code.INVALID_STATUS_TRANSITION,
        Code.TIMESLOT_UNAVAILABLE,
        Code.AVAILABILITY_CHECK_FAILED,
    ],
)
async def post_order_status(call: Call, uuid: UUID, body: StatusToSet) -> Answer:
    """Change the status of an order; the one it has already changes nothing."""
    async with call.connection() as conn:
        await change_status(conn, call.caller.business, uuid, body.status, body.note_for_status, _actor(call))
        return data_answer(await get_order(conn, call.caller.business, uuid))


@operations.post(
    "/orders/{uuid}/reschedule",
    scope=Scope.ORDERS_WRITE,
    answer=DataOf[OrderDetail],
    errors=[
        Code.NOT_FOUND,
        Code.VALIDATION_ERROR,
        Code.ORDER_NOT_RESCHEDULABLE,
        Code.TIMESLOT_UNAVAILABLE,
        Code.AVAILABILITY_CHECK_FAILED,
    ],
)
async def post_order_reschedule(call: Call, uuid: UUID, body: TimeToSet) -> Answer:
    """Move the appointment of an order to another time; the one it has already changes nothing."""
    business = call.caller.business
    start = required_instant(body.start, business.timezone, "start")
    wanted = [WantedProvider(line.line_id, line.staff_id) for line in body.items]
    async with call.connection() as conn:
        await reschedule_order(conn, business, uuid, start, wanted, _actor(call))
        return data_answer(await get_order(conn, business, uuid))


@operations.post(
    "/orders/{id}/payments",
    scope=Scope.TRANSACTIONS_WRITE,
    answer=DataOf[Transaction],
    status=201,
    errors=[
        Code.NOT_FOUND,
        Code.VALIDATION_ERROR,
        Code.ORDER_IS_DRAFT,
        Code.ORDER_CANCELED,
        Code.PAYMENT_METHOD_NOT_FOUND,
        Code.PAYMENT_METHOD_UNAVAILABLE,
    ],
)
async def post_order_payment(call: Call, uuid: UUID, body: PaymentToRecord) -> Answer:
    """Record a payment against an order."""
    payment = AskedPayment(
        amount=body.amount,
        method_id=body.payment_method_id,
        method_type=None,
        reference_number=body.reference_number,
        date=instant(body.date, call.caller.business.timezone, "date"),
        note=body.note,
    )
    async with call.connection() as conn:
        return data_answer(await pay_order(conn, call.caller.business, uuid, payment), 201)


def _line(line: OrderLine) -> AskedLine:
    return AskedLine(
        item_id=line.id,
        type=line.type,
        quantity=line.quantity,
        staff_id=line.staff_id,
        unit_amount=line.unit_amount,
        discount_amount=line.discount_amount or Money(0),
    )


def _payment(payment: InlinePayment, zone: str) -> AskedPayment:
    return AskedPayment(
        amount=payment.amount,
        method_id=payment.payment_method_id,
        method_type=payment.payment_method_type,
        reference_number=payment.reference_number,
        date=instant(payment.date, zone, "payment.date"),
        note=payment.note,
    )


def _actor(call: Call) -> Actor:
    return Actor("app", call.caller.id)
