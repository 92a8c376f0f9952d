"""What the page of an order does beside its status: other lines, the customer who has come, links for the customer."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.auth.scopes import Scope
from frontdesk.http.endpoints import Endpoints
from frontdesk.http.errors import Code
from frontdesk.http.field_types import Count, DateTimeInput, LongText, NonNegativeMoney
from frontdesk.http.pagination import DataResponse
from frontdesk.orders.documents import CustomerLink, OrderDetail
from frontdesk.orders.edit import EditOrder, OrderEdit
from frontdesk.orders.edit_lines import LineChange
from frontdesk.orders.pricing import Discount, DiscountKind
from frontdesk.orders.types import MAX_LINES, LineType
from frontdesk.scheduling.check_in import SetOrderArrived
from frontdesk.scheduling.share_booking import CreateBookingLink
from frontdesk.till.share_receipt import CreateReceiptLink

operations = Endpoints()

_FIELDS = {"lines": "items", "lines.#.item_id": "items.#.id", "discount": "discount.amount"}
_LINK = msgspec.json.Decoder(CustomerLink)


class OrderItemReplace(msgspec.Struct):
    id: UUID
    type: LineType
    quantity: Count
    line_id: UUID | None = None
    staff_id: UUID | None = None
    unit_amount: NonNegativeMoney | None = None
    discount_amount: NonNegativeMoney | None = None
    option_id: UUID | None = None


class OrderDiscount(msgspec.Struct):
    amount: NonNegativeMoney
    type: DiscountKind
    apply_all: bool | None = False


class OrderItemsReplace(msgspec.Struct):
    items: Annotated[list[OrderItemReplace], Meta(min_length=1, max_length=MAX_LINES)]
    discount: OrderDiscount | None = None
    start: DateTimeInput | None = None
    note: LongText | None = None
    updated_at: DateTimeInput | None = None


class OrderArrival(msgspec.Struct):
    arrived: bool


@operations.put(
    "/orders/{uuid}/items",
    scope=Scope.ORDERS_WRITE,
    response=DataResponse[OrderDetail],
    fields=_FIELDS,
    errors=[
        Code.NOT_FOUND,
        Code.VALIDATION_ERROR,
        Code.VERSION_CONFLICT,
        Code.ORDER_IS_DRAFT,
        Code.ORDER_CANCELED,
        Code.ORDER_HAS_INVOICE,
        Code.TIMESLOT_UNAVAILABLE,
        Code.AVAILABILITY_CHECK_FAILED,
    ],
)
def replace_order_items(uuid: UUID, body: OrderItemsReplace) -> EditOrder:
    """Replace the items and the discount of an order, which changes its time, stock and totals.

    An item with its `line_id` keeps its price and tax rate. Items that are not sent are removed, as is the
    discount.
    """
    edit = OrderEdit(
        None,
        _changes(body.items),
        _discount(body.discount),
        body.start.written if body.start else None,
        body.note,
        body.updated_at.written if body.updated_at else None,
    )
    return EditOrder(uuid, edit, at_desk=False)


@operations.post(
    "/orders/{uuid}/arrived",
    scope=Scope.ORDERS_WRITE,
    response=DataResponse[OrderDetail],
    errors=[Code.NOT_FOUND, Code.VALIDATION_ERROR, Code.INVALID_STATUS_TRANSITION],
)
def set_order_arrived(uuid: UUID, body: OrderArrival) -> SetOrderArrived:
    """Record that the customer of an appointment of today has come, or take that back.

    The calendar shows it to the team. The order itself and its status stay, and no event is emitted.
    """
    return SetOrderArrived(uuid, body.arrived)


def _with_origin(document: bytes, origin: str) -> bytes:
    link = _LINK.decode(document)
    return msgspec.json.encode(msgspec.structs.replace(link, url=origin + link.url))


@operations.post(
    "/orders/{uuid}/booking-link",
    scope=Scope.ORDERS_WRITE,
    response=DataResponse[CustomerLink],
    complete=_with_origin,
    errors=[Code.NOT_FOUND, Code.INVALID_STATUS_TRANSITION],
)
def create_booking_link(uuid: UUID) -> CreateBookingLink:
    """Create the address at which the customer sees, moves and cancels the booking.

    Who has it needs no account, so give it to the customer only. An order has one, and keeps it.
    """
    return CreateBookingLink(uuid)


@operations.post(
    "/orders/{uuid}/receipt-link",
    scope=Scope.ORDERS_WRITE,
    response=DataResponse[CustomerLink],
    complete=_with_origin,
    errors=[Code.NOT_FOUND],
)
def create_receipt_link(uuid: UUID) -> CreateReceiptLink:
    """Create the address of the receipt, which needs no account. An order has one, and keeps it."""
    return CreateReceiptLink(uuid)


def _changes(items: Sequence[OrderItemReplace]) -> list[LineChange]:
    return [
        LineChange(
            item.line_id,
            item.type,
            item.id,
            item.quantity,
            item.staff_id,
            (item.option_id,) if item.option_id else (),
            item.unit_amount,
            item.discount_amount,
        )
        for item in items
    ]


def _discount(sent: OrderDiscount | None) -> Discount | None:
    return None if sent is None else Discount(sent.type, Decimal(sent.amount), bool(sent.apply_all))
