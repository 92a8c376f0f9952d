"""What a till does with a sale after it was rung up, and at the end of the day."""

import datetime as dt
from decimal import Decimal
from functools import partial
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.errors import Code, invalid
from frontdesk.key_api.branches import branch_of_query, require_order
from frontdesk.key_api.pos import SaleToRingUp, sale_of
from frontdesk.kit.money import round_half_up
from frontdesk.kit.published import Currency
from frontdesk.orders.change_draft import change_draft
from frontdesk.orders.change_status import ChangedStatus, change_status
from frontdesk.orders.documents import TillOrder
from frontdesk.orders.pay import pay_order
from frontdesk.orders.queries.reading import get_till_order
from frontdesk.orders.refund import refund_order
from frontdesk.orders.types import Actor, AskedPayment, Cashier
from frontdesk.till.close import CashierClose, close_day
from frontdesk.web.answers import Answer, data_answer, json_answer
from frontdesk.web.call import Call
from frontdesk.web.fields import CalendarDate, Count, LongText, Money, ShortText
from frontdesk.web.limits import MOST_LINES
from frontdesk.web.pages import DataOf
from frontdesk.web.surface import Operations

operations = Operations()


class TillStatus(msgspec.Struct):
    status: ChangedStatus
    note_for_status: LongText | None = None


class TillPayment(msgspec.Struct):
    id: UUID
    amount: Money
    total_amount: Money | None = None
    cashier: ShortText | None = None
    cashier_code: ShortText | None = None


class LineToRefund(msgspec.Struct):
    line_id: UUID
    quantity: Count


class RefundToMake(msgspec.Struct):
    lines: Annotated[list[LineToRefund], Meta(min_length=1, max_length=MOST_LINES)] | None = None
    whole: bool | None = False  # all that is left; said aloud, because a misspelt field must not give everything back
    restock: bool | None = False
    reason: LongText | None = None
    cashier: ShortText | None = None
    cashier_code: ShortText | None = None


class CloseQuery(msgspec.Struct):
    team_id: UUID
    date: CalendarDate


class ClosedMethod(msgspec.Struct):
    payment_method_id: UUID
    type: str
    paid: Decimal
    refunded: Decimal
    change: Decimal


class ClosedCashier(msgspec.Struct):
    cashier: str | None
    sales: int
    sold: Decimal
    refunds: int
    refunded: Decimal
    change: Decimal
    expected_cash: Decimal
    methods: list[ClosedMethod]


class DayClose(msgspec.Struct):
    date: dt.date
    currency: Currency
    cashiers: list[ClosedCashier]


@operations.put(
    "/pos/orders/{orderId}",
    answer=DataOf[TillOrder],
    errors=[Code.NOT_FOUND, Code.VALIDATION_ERROR, Code.TOTAL_MISMATCH, Code.ORDER_IS_DRAFT],
)
async def put_draft(call: Call, uuid: UUID, body: SaleToRingUp) -> Answer:
    """Change a draft: everything it holds is replaced."""
    async with call.connection() as conn, conn.transaction():
        await require_order(conn, call, uuid)
        await change_draft(conn, call.caller.business, uuid, sale_of(call, body))
        return data_answer(await get_till_order(conn, call.caller.business, uuid))


@operations.post(
    "/pos/orders/{orderId}/status",
    answer=DataOf[TillOrder],
    errors=[
        Code.NOT_FOUND,
        Code.VALIDATION_ERROR,
        Code.ORDER_HAS_INVOICE,
        Code.INVALID_STATUS_TRANSITION,
        Code.TIMESLOT_UNAVAILABLE,
        Code.AVAILABILITY_CHECK_FAILED,
    ],
)
async def post_till_status(call: Call, uuid: UUID, body: TillStatus) -> Answer:
    """Turn a draft into an order, give it up, or move a sale on."""
    async with call.connection() as conn, conn.transaction():
        await require_order(conn, call, uuid)
        await change_status(conn, call.caller.business, uuid, body.status, body.note_for_status, _actor(call))
        return data_answer(await get_till_order(conn, call.caller.business, uuid))


@operations.post(
    "/pos/orders/{orderId}/payments",
    answer=DataOf[TillOrder],
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
async def post_till_payment(call: Call, uuid: UUID, body: TillPayment) -> Answer:
    """Take a payment on a sale that was rung up before, such as a draft that was confirmed."""
    if body.total_amount is not None and body.total_amount < body.amount:
        raise invalid({"total_amount": ["must be at least the amount"]})
    asked = AskedPayment(body.amount, body.id, None, None, None, None, body.total_amount)
    async with call.connection() as conn, conn.transaction():
        await require_order(conn, call, uuid)
        await pay_order(conn, call.caller.business, uuid, asked, Cashier(body.cashier, body.cashier_code))
        return data_answer(await get_till_order(conn, call.caller.business, uuid), 201)


@operations.post(
    "/pos/orders/{orderId}/refunds",
    answer=DataOf[TillOrder],
    status=201,
    errors=[Code.NOT_FOUND, Code.VALIDATION_ERROR, Code.ORDER_IS_DRAFT],
)
async def post_refund(call: Call, uuid: UUID, body: RefundToMake) -> Answer:
    """Give back a whole sale, or some of its lines; answers with the refund's own order."""
    if body.lines is None and not body.whole:
        raise invalid({"lines": ["is required, unless whole is true"]})
    quantities = _quantities(body.lines)
    async with call.connection() as conn, conn.transaction():
        await require_order(conn, call, uuid)
        child_id = await refund_order(
            conn,
            call.caller.business,
            uuid,
            quantities,
            _actor(call),
            restock=bool(body.restock),
            reason=body.reason,
            cashier=Cashier(body.cashier, body.cashier_code),
        )
        return data_answer(await get_till_order(conn, call.caller.business, child_id), 201)


@operations.get("/pos/day-close", answer=DataOf[DayClose], errors=[Code.VALIDATION_ERROR])
async def get_day_close(call: Call, query: CloseQuery) -> Answer:
    """The totals of a branch's day, per cashier and payment method."""
    branch_of_query(call, query.team_id)
    async with call.connection() as conn:
        closes = await close_day(conn, call.caller.business, query.team_id, query.date.day)
    business = call.caller.business
    published = [_published(close, business.currency_decimals) for close in closes]
    return json_answer(DataOf(DayClose(query.date.day, business.currency, published)))


def _published(close: CashierClose, decimals: int) -> ClosedCashier:
    exact = partial(round_half_up, decimals=decimals)
    return ClosedCashier(
        cashier=close.cashier,
        sales=close.sales,
        sold=exact(close.sold),
        refunds=close.refunds,
        refunded=exact(close.refunded),
        change=exact(close.change),
        expected_cash=exact(close.expected_cash),
        methods=[
            ClosedMethod(m.method_id, m.type, exact(m.paid), exact(m.refunded), exact(m.change)) for m in close.methods
        ],
    )


def _quantities(lines: list[LineToRefund] | None) -> dict[UUID, int] | None:
    if lines is None:
        return None
    quantities: dict[UUID, int] = {}
    for place, line in enumerate(lines):
        if line.line_id in quantities:
            raise invalid({f"lines.{place}.line_id": ["is named twice"]})
        quantities[line.line_id] = line.quantity
    return quantities


def _actor(call: Call) -> Actor:
    return Actor("key", call.caller.id)
