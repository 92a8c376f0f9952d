"""The point of sale: what a sale comes to, and ringing it up."""

from collections.abc import Iterable
from decimal import Decimal
from typing import Annotated, Literal
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.errors import Code, invalid
from frontdesk.http.dates import instant
from frontdesk.http.endpoints import Operations
from frontdesk.http.field_types import AmountText, Count, Moment, Money, ShortText
from frontdesk.http.pagination import DataOf
from frontdesk.http.rate_limit_headers import MOST_LINES, MOST_PAYMENTS
from frontdesk.http.request import Call
from frontdesk.http.responses import Answer, data_answer, json_answer
from frontdesk.http.validation import Faults
from frontdesk.orders.calculate import calculate
from frontdesk.orders.create import place_order
from frontdesk.orders.json_sql import TillOrder
from frontdesk.orders.pricing import Discount, DiscountKind, Priced
from frontdesk.orders.queries.reading import get_till_order
from frontdesk.orders.types import (
    Actor,
    AskedLine,
    AskedOrder,
    AskedPayment,
    Cashier,
    LineType,
    Source,
    Stated,
    Wording,
)
from frontdesk.values.api_types import Amount, Currency
from frontdesk.values.money import fits_currency, format_amount

operations = Operations()

_CALCULATED = Wording(lines="items", item="item_id")
_RUNG_UP = Wording(lines="services", staff="staffId", payment="payment_methods.{}")


class AskedDiscount(msgspec.Struct):
    amount: Money
    type: DiscountKind
    apply_all: bool | None = False


class LineToCalculate(msgspec.Struct):
    item_id: UUID
    quantity: Count
    apply_discount: bool | None = msgspec.field(name="applyDiscount", default=False)
    price: Money | None = None
    staff_id: UUID | None = None
    option_id: Annotated[list[UUID], Meta(max_length=20)] | None = None


class SaleToCalculate(msgspec.Struct):
    items: Annotated[list[LineToCalculate], Meta(min_length=1, max_length=MOST_LINES)]
    discount: AskedDiscount | None = None


class CalculatedLine(msgspec.Struct):
    item_id: UUID
    option_id: list[UUID]
    staff_id: UUID | None
    quantity: int
    unit_amount: Decimal
    total_amount: Decimal
    discount_amount: Decimal
    net_amount: Decimal
    apply_discount: bool = msgspec.field(name="applyDiscount")


class CalculatedDiscount(msgspec.Struct):
    amount: Decimal
    type: Literal["percentage", "fixed"]
    apply_all: bool


class Calculation(msgspec.Struct):
    currency: Currency
    sub_total: Amount
    discount_amount: Amount
    total: Amount
    discount: CalculatedDiscount | None
    items: list[CalculatedLine]


class SoldLine(msgspec.Struct):
    id: UUID
    type: LineType
    quantity: Count
    price: Money | None = None
    staff_id: UUID | None = msgspec.field(name="staffId", default=None)
    unit_amount: Money | None = None
    total_amount: Money | None = None
    apply_discount: bool | None = msgspec.field(name="applyDiscount", default=False)
    option_id: Annotated[list[UUID], Meta(max_length=20)] | None = None


class TenderedPayment(msgspec.Struct):
    id: UUID
    amount: Money
    total_amount: Money | None = None


class SaleToRingUp(msgspec.Struct):
    total: AmountText
    sub_total: AmountText
    services: Annotated[list[SoldLine], Meta(min_length=1, max_length=MOST_LINES)]
    start: Moment | None = None
    cashier: ShortText | None = None
    cashier_code: ShortText | None = None
    is_draft: bool | None = msgspec.field(name="isDraft", default=None)
    discount: AskedDiscount | None = None
    customer_id: UUID | None = None
    payment_methods: Annotated[list[TenderedPayment], Meta(max_length=MOST_PAYMENTS)] | None = None


@operations.post("/pos/checkout-calculate", writes=False, answer=DataOf[Calculation], errors=[Code.VALIDATION_ERROR])
async def post_calculation(call: Call, body: SaleToCalculate) -> Answer:
    """Tell what a sale would come to; nothing is written."""
    _check_prices("items", (line.price for line in body.items), call.caller.business.currency_decimals)
    discount = _discount(body.discount)
    asked = _asked(call, [_line_to_calculate(line) for line in body.items], discount, _CALCULATED)
    async with call.connection() as conn:
        priced = await calculate(conn, call.caller.business, asked)
    return json_answer(DataOf(_calculation(call, asked, priced)))


@operations.post(
    "/pos/orders",
    answer=DataOf[TillOrder],
    status=201,
    errors=[
        Code.VALIDATION_ERROR,
        Code.TOTAL_MISMATCH,
        Code.TIMESLOT_UNAVAILABLE,
        Code.PAYMENT_METHOD_NOT_FOUND,
        Code.PAYMENT_METHOD_UNAVAILABLE,
        Code.ORDER_IS_DRAFT,
        Code.AVAILABILITY_CHECK_FAILED,
    ],
)
async def post_till_order(call: Call, body: SaleToRingUp) -> Answer:
    """Ring up a sale, with all its payments or not at all; or keep it as a draft."""
    async with call.connection() as conn, conn.transaction():
        placed = await place_order(conn, call.caller.business, sale_of(call, body))
        return data_answer(await get_till_order(conn, call.caller.business, placed.id), 201)


def sale_of(call: Call, body: SaleToRingUp) -> AskedOrder:
    """The sale that a till sends, in our own words."""
    _check_prices("services", (line.price for line in body.services), call.caller.business.currency_decimals)
    _check_agreement(body.services)
    return _asked(call, [_sold_line(line) for line in body.services], _discount(body.discount), _RUNG_UP)._replace(
        customer_id=body.customer_id,
        start=instant(body.start, call.caller.business.timezone, "start"),
        payments=[
            AskedPayment(p.amount, p.id, None, None, None, None, p.total_amount) for p in body.payment_methods or []
        ],
        draft=bool(body.is_draft),
        stated=Stated(body.sub_total.amount, body.total.amount),
        cashier=Cashier(body.cashier, body.cashier_code),
    )


def _asked(call: Call, lines: list[AskedLine], discount: Discount | None, wording: Wording) -> AskedOrder:
    return AskedOrder(
        branch_id=call.caller.branch_id,
        customer_id=None,
        start=None,
        lines=lines,
        note=None,
        payments=[],
        source=Source.POS,
        actor=Actor("key", call.caller.id),
        books_services=False,
        discount=discount,
        wording=wording,
    )


def _discount(asked: AskedDiscount | None) -> Discount | None:
    if asked is None:
        return None
    if asked.amount < 0:
        raise invalid({"discount.amount": ["must not be negative"]})
    if asked.type is DiscountKind.PERCENTAGE and asked.amount > 100:
        raise invalid({"discount.amount": ["must not exceed 100 percent"]})
    return Discount(asked.type, Decimal(asked.amount), bool(asked.apply_all))


def _check_prices(lines: str, prices: Iterable[Money | None], decimals: int) -> None:
    """Under the name that the till gave them: further in, they are all unit amounts."""
    faults: Faults = {}
    for place, price in enumerate(prices):
        if price is not None and (price < 0 or not fits_currency(price, decimals)):
            faults[f"{lines}.{place}.price"] = [f"must be an amount with at most {decimals} decimals"]
    if faults:
        raise invalid(faults)


def _check_agreement(lines: Iterable[SoldLine]) -> None:
    """Both are the unit price. If they differ, it is unknown which one the customer saw."""
    faults: Faults = {}
    for place, line in enumerate(lines):
        if line.price is not None and line.unit_amount is not None and line.price != line.unit_amount:
            faults[f"services.{place}.price"] = ["must be the same as unit_amount, or be left out"]
            faults[f"services.{place}.unit_amount"] = ["must be the same as price, or be left out"]
    if faults:
        raise invalid(faults)


def _line_to_calculate(line: LineToCalculate) -> AskedLine:
    return AskedLine(
        item_id=line.item_id,
        type=LineType.PRODUCT,
        quantity=line.quantity,
        staff_id=line.staff_id,
        unit_amount=line.price,
        option_ids=tuple(line.option_id or ()),
        eligible=bool(line.apply_discount),
    )


def _sold_line(line: SoldLine) -> AskedLine:
    return AskedLine(
        item_id=line.id,
        type=line.type,
        quantity=line.quantity,
        staff_id=line.staff_id,
        unit_amount=line.unit_amount if line.unit_amount is not None else line.price,
        option_ids=tuple(line.option_id or ()),
        eligible=bool(line.apply_discount),
        stated_total=line.total_amount,
    )


def _calculation(call: Call, asked: AskedOrder, priced: Priced) -> Calculation:
    business, discount = call.caller.business, asked.discount
    return Calculation(
        currency=business.currency,
        sub_total=format_amount(priced.sub_total, business.currency_decimals),
        discount_amount=format_amount(priced.discount_amount, business.currency_decimals),
        total=format_amount(priced.total, business.currency_decimals),
        discount=CalculatedDiscount(discount.amount, discount.kind.value, discount.apply_all) if discount else None,
        items=[
            CalculatedLine(
                item_id=line.item_id,
                option_id=list(line.option_ids),
                staff_id=line.staff_id,
                quantity=line.quantity,
                unit_amount=amounts.unit_amount,
                total_amount=amounts.total_amount,
                discount_amount=amounts.discount_amount,
                net_amount=amounts.net_amount,
                apply_discount=line.eligible,
            )
            for line, amounts in zip(asked.lines, priced.lines, strict=True)
        ],
    )
