"""What a till does with a sale after it was rung up, and at the end of the day."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.apis.pos.branches import branch_of_query, require_order
from frontdesk.apis.pos.checkout import PosOrderCreate, order_request
from frontdesk.day_close import close as day_close
from frontdesk.day_close.documents import DayClose
from frontdesk.errors import Code, invalid
from frontdesk.http.endpoints import Endpoints
from frontdesk.http.field_types import CalendarDate, Count, LongText, Money, ShortText
from frontdesk.http.pagination import DataResponse
from frontdesk.http.rate_limit_headers import MAX_LINES
from frontdesk.http.request import Request
from frontdesk.http.responses import Response, data_response, json_response
from frontdesk.orders.change_draft import change_draft
from frontdesk.orders.change_status import SettableStatus, change_status
from frontdesk.orders.finish_draft import finish_draft
from frontdesk.orders.json_sql import PosOrder
from frontdesk.orders.money_types import RefundRequest
from frontdesk.orders.pay import pay_order
from frontdesk.orders.queries.reading import get_pos_order
from frontdesk.orders.refund import refund_order
from frontdesk.orders.types import Actor, Cashier, PaymentRequest
from frontdesk.postgres.query import fetch

operations = Endpoints()


class PosOrderStatusUpdate(msgspec.Struct):
    status: SettableStatus
    note_for_status: LongText | None = None


class PosPaymentCreate(msgspec.Struct):
    id: UUID
    amount: Money
    total_amount: Money | None = None
    cashier: ShortText | None = None
    cashier_code: ShortText | None = None


class RefundLineCreate(msgspec.Struct):
    line_id: UUID
    quantity: Count


class RefundCreate(msgspec.Struct):
    """Send exactly one of `lines`, `amount` and `whole`."""

    lines: Annotated[list[RefundLineCreate], Meta(min_length=1, max_length=MAX_LINES)] | None = None
    amount: Money | None = None
    whole: bool | None = False
    payment_method_id: UUID | None = None
    restock: bool | None = False
    cancel_order: bool | None = False
    reason: LongText | None = None
    cashier: ShortText | None = None
    cashier_code: ShortText | None = None


class CloseQuery(msgspec.Struct):
    team_id: UUID
    date: CalendarDate


class DayCloseCreate(msgspec.Struct):
    team_id: UUID
    date: CalendarDate


@operations.put(
    "/pos/orders/{orderId}",
    response=DataResponse[PosOrder],
    errors=[
        Code.NOT_FOUND,
        Code.VALIDATION_ERROR,
        Code.TOTAL_MISMATCH,
        Code.ORDER_IS_DRAFT,
        Code.TIMESLOT_UNAVAILABLE,
        Code.PAYMENT_METHOD_NOT_FOUND,
        Code.PAYMENT_METHOD_UNAVAILABLE,
        Code.AVAILABILITY_CHECK_FAILED,
    ],
)
async def replace_pos_draft(request: Request, uuid: UUID, body: PosOrderCreate) -> Response:
    """Replace a draft, or turn it into an order with payments by sending `isDraft: false`."""
    sale, business = order_request(request, body), request.caller.tenant
    async with request.connection() as conn, conn.transaction():
        await require_order(conn, request, uuid)
        if body.is_draft is False:
            await finish_draft(conn, business, uuid, sale)
        else:
            await change_draft(conn, business, uuid, sale)
        return data_response(await fetch(conn, request.caller.tenant_id, get_pos_order(uuid)))


@operations.post(
    "/pos/orders/{orderId}/status",
    response=DataResponse[PosOrder],
    errors=[
        Code.NOT_FOUND,
        Code.VALIDATION_ERROR,
        Code.ORDER_HAS_INVOICE,
        Code.INVALID_STATUS_TRANSITION,
        Code.TIMESLOT_UNAVAILABLE,
        Code.AVAILABILITY_CHECK_FAILED,
    ],
)
async def update_pos_order_status(request: Request, uuid: UUID, body: PosOrderStatusUpdate) -> Response:
    """Update the status of an order; a draft can be confirmed or canceled."""
    async with request.connection() as conn, conn.transaction():
        await require_order(conn, request, uuid)
        await change_status(conn, request.caller.tenant, uuid, body.status, body.note_for_status, _actor(request))
        return data_response(await fetch(conn, request.caller.tenant_id, get_pos_order(uuid)))


@operations.post(
    "/pos/orders/{orderId}/payments",
    response=DataResponse[PosOrder],
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
async def create_pos_payment(request: Request, uuid: UUID, body: PosPaymentCreate) -> Response:
    """Record a payment against an order."""
    asked = PaymentRequest(body.amount, body.id, None, None, None, None, body.total_amount)
    async with request.connection() as conn, conn.transaction():
        await require_order(conn, request, uuid)
        await pay_order(conn, request.caller.tenant, uuid, asked, Cashier(body.cashier, body.cashier_code))
        return data_response(await fetch(conn, request.caller.tenant_id, get_pos_order(uuid)), 201)


@operations.post(
    "/pos/orders/{orderId}/refunds",
    response=DataResponse[PosOrder],
    status=201,
    errors=[
        Code.NOT_FOUND,
        Code.VALIDATION_ERROR,
        Code.ORDER_IS_DRAFT,
        Code.ORDER_HAS_INVOICE,
        Code.PAYMENT_METHOD_NOT_FOUND,
        Code.PAYMENT_METHOD_UNAVAILABLE,
    ],
)
async def create_refund(request: Request, uuid: UUID, body: RefundCreate) -> Response:
    """Refund an order by line, by amount or in full.

    The response is the refund, which is an order of its own.
    """
    refund = _refund_request(body)
    async with request.connection() as conn, conn.transaction():
        await require_order(conn, request, uuid)
        child_id = await refund_order(conn, request.caller.tenant, uuid, refund, _actor(request))
        return data_response(await fetch(conn, request.caller.tenant_id, get_pos_order(child_id)), 201)


@operations.get("/pos/day-close", response=DataResponse[DayClose], errors=[Code.VALIDATION_ERROR])
async def get_day_close(request: Request, query: CloseQuery) -> Response:
    """Retrieve the totals of a branch for one day, by cashier and payment method.

    The totals of a closed day are those stored when it was closed; the totals of an open day are current.
    """
    await request.authenticate()
    branch_of_query(request, query.team_id)
    async with request.connection() as conn:
        close = await day_close.read_day(conn, request.caller.tenant, query.team_id, query.date.day)
    return json_response(DataResponse(close))


@operations.post("/pos/day-close", response=DataResponse[DayClose], errors=[Code.VALIDATION_ERROR])
async def close_day(request: Request, body: DayCloseCreate) -> Response:
    """Close a day of a branch and store its totals.

    Stored totals never change. Closing the same day again returns them.
    """
    branch_of_query(request, body.team_id)
    async with request.connection() as conn:
        close = await day_close.close_day(conn, request.caller.tenant, body.team_id, body.date.day, _actor(request))
    return json_response(DataResponse(close))


def _refund_request(body: RefundCreate) -> RefundRequest:
    given = [name for name in ("lines", "amount") if getattr(body, name) is not None] + ["whole"] * bool(body.whole)
    if not given:
        raise invalid({"lines": ["is required unless amount is sent or whole is true"]})
    if len(given) > 1:
        raise invalid({name: ["must not be combined: send only one of lines, amount and whole"] for name in given})
    return RefundRequest(
        lines=_quantities(body.lines),
        amount=body.amount,
        restock=bool(body.restock),
        cancel_order=bool(body.cancel_order),
        method_id=body.payment_method_id,
        reason=body.reason,
        cashier=Cashier(body.cashier, body.cashier_code),
    )


def _quantities(lines: list[RefundLineCreate] | None) -> dict[UUID, int] | None:
    if lines is None:
        return None
    quantities: dict[UUID, int] = {}
    for place, line in enumerate(lines):
        if line.line_id in quantities:
            raise invalid({f"lines.{place}.line_id": ["is a duplicate"]})
        quantities[line.line_id] = line.quantity
    return quantities


def _actor(request: Request) -> Actor:
    return Actor("key", request.caller.id)
