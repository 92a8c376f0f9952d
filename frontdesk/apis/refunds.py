"""The request of a refund, in both APIs."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.http.errors import invalid
from frontdesk.http.field_types import Count, LongText, PositiveMoney
from frontdesk.invoices.money_types import RefundRequest
from frontdesk.orders.types import MAX_LINES, NO_CASHIER, Cashier


class RefundLineCreate(msgspec.Struct):
    line_id: UUID
    quantity: Count


class OrderRefundCreate(msgspec.Struct):
    """Send exactly one of `lines`, `amount` and `whole`."""

    lines: Annotated[list[RefundLineCreate], Meta(min_length=1, max_length=MAX_LINES)] | None = None
    amount: PositiveMoney | None = None
    whole: bool | None = False
    payment_method_id: UUID | None = None
    restock: bool | None = False
    cancel_order: bool | None = False
    reason: LongText | None = None


def refund_request(body: OrderRefundCreate, cashier: Cashier = NO_CASHIER) -> RefundRequest:
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
        cashier=cashier,
    )


def _quantities(lines: list[RefundLineCreate] | None) -> dict[UUID, int] | None:
    if lines is None:
        return None
    quantities: dict[UUID, int] = {}
    for index, line in enumerate(lines):
        if line.line_id in quantities:
            raise invalid({f"lines.{index}.line_id": ["is a duplicate"]})
        quantities[line.line_id] = line.quantity
    return quantities
