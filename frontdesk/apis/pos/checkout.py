"""Calculating and creating orders in the POS API."""

from collections.abc import Iterable
from decimal import Decimal
from typing import Annotated, Literal
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.http.endpoints import Endpoints
from frontdesk.http.errors import Code, invalid
from frontdesk.http.field_types import (
    AmountText,
    Count,
    DateTimeInput,
    Money,
    NonNegativeMoney,
    PositiveMoney,
    ShortText,
)
from frontdesk.http.pagination import DataResponse
from frontdesk.http.request import Request
from frontdesk.http.responses import Response, json_response
from frontdesk.orders.create import CreateOrder
from frontdesk.orders.documents import PosOrder, SoldOption
from frontdesk.orders.preview_totals import preview_totals
from frontdesk.orders.pricing import Discount, DiscountKind, Priced
from frontdesk.orders.queries.order_context import OrderInputs, order_context
from frontdesk.orders.types import (
    MAX_LINES,
    MAX_PAYMENTS,
    Cashier,
    ClientTotals,
    LineType,
    OrderLineRequest,
    OrderRequest,
    PaymentRequest,
    Source,
)
from frontdesk.values.api_types import Amount, Currency
from frontdesk.values.clock import current_time
from frontdesk.values.money import fits_currency, format_amount
from frontdesk.values.tenant_context import TenantContext

operations = Endpoints()

ORDER_FIELDS = {
    "branch_id": "team_id",
    "lines": "services",
    "lines.#.item_id": "services.#.id",
    "lines.#.staff_id": "services.#.staffId",
    "payments": "payment_methods",
    "payments.#.tendered": "payment_methods.#.total_amount",
    "discount": "discount.amount",
}


class DiscountRequest(msgspec.Struct):
    amount: NonNegativeMoney
    type: DiscountKind
    apply_all: bool | None = False


class CheckoutLine(msgspec.Struct):
    item_id: UUID
    quantity: Count
    apply_discount: bool | None = msgspec.field(name="applyDiscount", default=False)
    price: Money | None = None
    staff_id: UUID | None = None
    option_id: Annotated[list[UUID], Meta(max_length=20)] | None = None


class CheckoutRequest(msgspec.Struct):
    items: Annotated[list[CheckoutLine], Meta(min_length=1, max_length=MAX_LINES)]
    discount: DiscountRequest | None = None


class CheckoutCalculationLine(msgspec.Struct):
    item_id: UUID
    option_id: list[UUID]
    option: SoldOption | None
    staff_id: UUID | None
    quantity: int
    unit_amount: Decimal
    total_amount: Decimal
    discount_amount: Decimal
    net_amount: Decimal
    apply_discount: bool = msgspec.field(name="applyDiscount")


class AppliedDiscount(msgspec.Struct):
    amount: Decimal
    type: Literal["percentage", "fixed"]
    apply_all: bool


class CheckoutCalculation(msgspec.Struct):
    currency: Currency
    sub_total: Amount
    discount_amount: Amount
    total: Amount
    discount: AppliedDiscount | None
    items: list[CheckoutCalculationLine]


class PosOrderItemCreate(msgspec.Struct):
    id: UUID
    type: LineType
    quantity: Count
    price: Money | None = None
    staff_id: UUID | None = msgspec.field(name="staffId", default=None)
    unit_amount: Money | None = None
    total_amount: Money | None = None
    apply_discount: bool | None = msgspec.field(name="applyDiscount", default=False)
    option_id: Annotated[list[UUID], Meta(max_length=20)] | None = None


class PosInlinePayment(msgspec.Struct):
    id: UUID
    amount: PositiveMoney
    total_amount: Money | None = None


class PosOrderCreate(msgspec.Struct):
    total: AmountText
    sub_total: AmountText
    services: Annotated[list[PosOrderItemCreate], Meta(min_length=1, max_length=MAX_LINES)]
    start: DateTimeInput | None = None
    cashier: ShortText | None = None
    cashier_code: ShortText | None = None
    is_draft: bool | None = msgspec.field(name="isDraft", default=None)
    discount: DiscountRequest | None = None
    customer_id: UUID | None = None
    payment_methods: Annotated[list[PosInlinePayment], Meta(max_length=MAX_PAYMENTS)] | None = None


@operations.post(
    "/pos/checkout-calculate",
    writes=False,
    fields={"lines": "items", "discount": "discount.amount"},
    response=DataResponse[CheckoutCalculation],
    errors=[Code.VALIDATION_ERROR],
)
async def calculate_checkout(request: Request, body: CheckoutRequest) -> Response:
    """Calculate the totals of a sale without creating an order."""
    order = _line_request([_line_to_calculate(line) for line in body.items], _discount(body.discount))
    now = current_time()
    inputs = await request.fetch(order_context(order, now))
    tenant = request.caller.tenant
    _check_prices("items", (line.price for line in body.items), tenant.currency_decimals)
    priced = preview_totals(tenant, order._replace(branch_id=request.caller.branch_id), inputs, now)
    return json_response(DataResponse(_calculation(tenant, order, inputs, priced)))


class CreatePosOrder(CreateOrder, frozen=True, kw_only=True):
    prices: list[Money | None]  # as sent


async def _prepare_order(request: Request, act: CreatePosOrder) -> CreatePosOrder:
    return msgspec.structs.replace(act, order=checked_order(request, act.order, act.prices))


@operations.post(
    "/pos/orders",
    prepare=_prepare_order,
    fields=ORDER_FIELDS,
    response=DataResponse[PosOrder],
    status=201,
    creates="order",
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
def create_pos_order(body: PosOrderCreate) -> CreatePosOrder:
    """Create an order with all its payments, or save a draft.

    Either the order and every payment are created, or nothing is.
    """
    prices = [line.price for line in body.services]
    return CreatePosOrder(order_request(body), document="pos_order_document", prices=prices)


def checked_order(request: Request, order: OrderRequest, prices: Iterable[Money | None]) -> OrderRequest:
    """In the branch of the key, after the check that needs the tenant's currency."""
    _check_prices("services", prices, request.caller.tenant.currency_decimals)
    return order._replace(branch_id=request.caller.branch_id)


def order_request(body: PosOrderCreate) -> OrderRequest:
    _check_agreement(body.services)
    order = _line_request([_sold_line(line) for line in body.services], _discount(body.discount))
    return order._replace(
        customer_id=body.customer_id,
        start=body.start.written if body.start else None,
        payments=[
            PaymentRequest(p.amount, p.id, None, None, None, None, p.total_amount) for p in body.payment_methods or []
        ],
        draft=bool(body.is_draft),
        client_totals=ClientTotals(body.sub_total.amount, body.total.amount),
        cashier=Cashier(body.cashier, body.cashier_code),
    )


def _line_request(lines: list[OrderLineRequest], discount: Discount | None) -> OrderRequest:
    return OrderRequest(
        branch_id=None,
        customer_id=None,
        start=None,
        lines=lines,
        note=None,
        payments=[],
        source=Source.POS,
        requires_booking=False,
        discount=discount,
    )


def _discount(request: DiscountRequest | None) -> Discount | None:
    if request is None:
        return None
    if request.amount < 0:
        raise invalid({"discount.amount": ["must not be negative"]})
    if request.type is DiscountKind.PERCENTAGE and request.amount > 100:
        raise invalid({"discount.amount": ["must not exceed 100 percent"]})
    return Discount(request.type, Decimal(request.amount), bool(request.apply_all))


def _check_prices(lines: str, prices: Iterable[Money | None], decimals: int) -> None:
    """Errors have the field name of the request; the order itself has unit amounts only."""
    errors: dict[str, list[str]] = {}
    for index, price in enumerate(prices):
        if price is not None and (price < 0 or not fits_currency(price, decimals)):
            errors[f"{lines}.{index}.price"] = [f"must be an amount with at most {decimals} decimals"]
    if errors:
        raise invalid(errors)


def _check_agreement(lines: Iterable[PosOrderItemCreate]) -> None:
    """Both are the unit price. If they differ, it is unknown which one the customer saw."""
    errors: dict[str, list[str]] = {}
    for index, line in enumerate(lines):
        if line.price is not None and line.unit_amount is not None and line.price != line.unit_amount:
            errors[f"services.{index}.price"] = ["must equal unit_amount if both are sent"]
            errors[f"services.{index}.unit_amount"] = ["must equal price if both are sent"]
    if errors:
        raise invalid(errors)


def _line_to_calculate(line: CheckoutLine) -> OrderLineRequest:
    return OrderLineRequest(
        item_id=line.item_id,
        type=LineType.PRODUCT,
        quantity=line.quantity,
        staff_id=line.staff_id,
        unit_amount=line.price,
        option_ids=tuple(line.option_id or ()),
        discountable=bool(line.apply_discount),
    )


def _sold_line(line: PosOrderItemCreate) -> OrderLineRequest:
    return OrderLineRequest(
        item_id=line.id,
        type=line.type,
        quantity=line.quantity,
        staff_id=line.staff_id,
        unit_amount=line.unit_amount if line.unit_amount is not None else line.price,
        option_ids=tuple(line.option_id or ()),
        discountable=bool(line.apply_discount),
        client_total=line.total_amount,
    )


def _calculation(tenant: TenantContext, order: OrderRequest, seen: OrderInputs, priced: Priced) -> CheckoutCalculation:
    discount = order.discount
    options = {option.id: SoldOption(option.id, option.name) for option in seen.context.options}
    return CheckoutCalculation(
        currency=tenant.currency,
        sub_total=format_amount(priced.sub_total, tenant.currency_decimals),
        discount_amount=format_amount(priced.discount_amount, tenant.currency_decimals),
        total=format_amount(priced.total, tenant.currency_decimals),
        discount=AppliedDiscount(discount.amount, discount.kind.value, discount.apply_all) if discount else None,
        items=[
            CheckoutCalculationLine(
                item_id=line.item_id,
                option_id=list(line.option_ids),
                option=next((options[option_id] for option_id in line.option_ids), None),
                staff_id=line.staff_id,
                quantity=line.quantity,
                unit_amount=amounts.unit_amount,
                total_amount=amounts.total_amount,
                discount_amount=amounts.discount_amount,
                net_amount=amounts.net_amount,
                apply_discount=line.discountable,
            )
            for line, amounts in zip(order.lines, priced.lines, strict=True)
        ],
    )
