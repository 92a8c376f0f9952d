"""The parts that the body of a request is put together from."""

from datetime import datetime
from decimal import Decimal
from typing import Literal

import msgspec

from frontdesk.client.asking import Id
from frontdesk.orders.types import LineType

Amount = Decimal | int
Moment = datetime | str  # without an offset it is the business's local time


class OrderLine(msgspec.Struct, kw_only=True):
    id: Id
    type: LineType | Literal["service", "product", "package"]
    quantity: int = 1
    staff_id: Id | None = None
    unit_amount: Amount | None = None
    discount_amount: Amount | None = None


class LineToReschedule(msgspec.Struct, kw_only=True):
    line_id: Id
    staff_id: Id | None  # None: anybody who is free


class InlinePayment(msgspec.Struct, kw_only=True):
    amount: Amount
    payment_method_id: Id | None = None
    payment_method_type: str | None = None
    reference_number: str | None = None
    date: Moment | None = None
    note: str | None = None
