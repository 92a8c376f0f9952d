"""Changes of orders and the day close in the POS API."""

from uuid import UUID

import msgspec

from frontdesk.apis.pos.branches import branch_of_query
from frontdesk.apis.pos.checkout import ORDER_FIELDS, PosOrderCreate, checked_order, order_request
from frontdesk.apis.refunds import OrderRefundCreate, refund_request
from frontdesk.day_close.close import CloseDay, day_totals
from frontdesk.day_close.close_queries import get_day
from frontdesk.day_close.documents import DayClose
from frontdesk.http.endpoints import Endpoints
from frontdesk.http.errors import Code
from frontdesk.http.field_types import CalendarDate, LongText, Money, PositiveMoney, ShortText
from frontdesk.http.pagination import DataResponse
from frontdesk.http.request import Request
from frontdesk.http.responses import Response, json_response
from frontdesk.orders.change_status import ChangeOrderStatus, SettableStatus
from frontdesk.orders.documents import PosOrder
from frontdesk.orders.drafts import ChangeDraft
from frontdesk.orders.pay import PayOrder
from frontdesk.orders.types import Cashier, PaymentRequest
from frontdesk.refunds.refund import RefundOrder

operations = Endpoints()


class PosOrderStatusUpdate(msgspec.Struct):
    status: SettableStatus
    note_for_status: LongText | None = None


class PosPaymentCreate(msgspec.Struct):
    id: UUID
    amount: PositiveMoney
    total_amount: Money | None = None
    cashier: ShortText | None = None
    cashier_code: ShortText | None = None


class RefundCreate(OrderRefundCreate):
    """Send exactly one of `lines`, `amount` and `whole`."""

    cashier: ShortText | None = None
    cashier_code: ShortText | None = None


class CloseQuery(msgspec.Struct):
    team_id: UUID
    date: CalendarDate


class DayCloseCreate(msgspec.Struct):
    team_id: UUID
    date: CalendarDate


class ChangePosDraft(ChangeDraft, frozen=True, kw_only=True):
    prices: list[Money | None]  # as sent


async def _prepare_draft(request: Request, act: ChangePosDraft) -> ChangePosDraft:
    return msgspec.structs.replace(act, order=checked_order(request, act.order, act.prices))


@operations.put(
    "/pos/orders/{orderId}",
    prepare=_prepare_draft,
    fields=ORDER_FIELDS,
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
def replace_pos_draft(uuid: UUID, body: PosOrderCreate) -> ChangePosDraft:
    """Replace a draft, or turn it into an order with payments by sending `isDraft: false`."""
    order = order_request(body)._replace(draft=body.is_draft is not False)
    return ChangePosDraft(uuid, order, prices=[line.price for line in body.services])


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
def update_pos_order_status(uuid: UUID, body: PosOrderStatusUpdate) -> ChangeOrderStatus:
    """Update the status of an order; a draft can be confirmed or canceled."""
    return ChangeOrderStatus(uuid, body.status, body.note_for_status, "pos_order_document")


@operations.post(
    "/pos/orders/{orderId}/payments",
    fields={"tendered": "total_amount"},
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
def create_pos_payment(uuid: UUID, body: PosPaymentCreate) -> PayOrder:
    """Record a payment against an order."""
    cashier = Cashier(body.cashier, body.cashier_code)
    return PayOrder(uuid, _payment_request(body), cashier, returns_order=True)


def _payment_request(body: PosPaymentCreate) -> PaymentRequest:
    return PaymentRequest(body.amount, body.id, None, None, None, None, body.total_amount)


@operations.post(
    "/pos/orders/{orderId}/refunds",
    response=DataResponse[PosOrder],
    status=201,
    creates="order",
    errors=[
        Code.NOT_FOUND,
        Code.VALIDATION_ERROR,
        Code.ORDER_IS_DRAFT,
        Code.ORDER_HAS_INVOICE,
        Code.PAYMENT_METHOD_NOT_FOUND,
        Code.PAYMENT_METHOD_UNAVAILABLE,
    ],
)
def create_refund(uuid: UUID, body: RefundCreate) -> RefundOrder:
    """Refund an order by line, by amount or in full.

    The response is the refund, which is an order of its own.
    """
    return RefundOrder(uuid, refund_request(body, Cashier(body.cashier, body.cashier_code)))


@operations.get(
    "/pos/day-close",
    fields={"branch_id": "team_id"},
    response=DataResponse[DayClose],
    errors=[Code.VALIDATION_ERROR],
)
async def get_day_close(request: Request, query: CloseQuery) -> Response:
    """Retrieve the totals of a branch for one day, by cashier and payment method.

    They are those of all closes of the day, as stored, and of what is not closed yet, which is current.
    """
    state = await request.fetch(get_day(query.team_id, query.date.day))
    branch_of_query(request, query.team_id)
    return json_response(DataResponse(day_totals(request.caller.tenant, query.date.day, state)))


async def _check_branch(request: Request, act: CloseDay) -> CloseDay:
    branch_of_query(request, act.branch_id)
    return act


@operations.post(
    "/pos/day-close",
    prepare=_check_branch,
    fields={"branch_id": "team_id"},
    response=DataResponse[DayClose],
    errors=[Code.VALIDATION_ERROR],
)
def close_day(body: DayCloseCreate) -> CloseDay:
    """Close what is open of a day of a branch, and store its totals.

    A close never changes. What comes later belongs to the next close of the same day. If nothing has come, closing the
    day again returns the same totals.
    """
    return CloseDay(body.team_id, body.date.day)
