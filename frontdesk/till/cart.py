"""The cart of the till: what a sale would be. Its amounts are those of `calculate`, as in the POS API."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

from frontdesk.orders.lines import CatalogSnapshot, stock_shortages
from frontdesk.orders.preview_totals import preview_totals, with_types
from frontdesk.orders.pricing import Discount, DiscountKind, LineToPrice, Priced, PricedLine, compute_totals
from frontdesk.orders.queries.order_context import OrderInputs
from frontdesk.orders.stock import Shortage, StockUse
from frontdesk.orders.types import LineType, OrderLineRequest, OrderRequest, Source
from frontdesk.values.tenant_context import TenantContext


class CartLine(NamedTuple):
    item_id: UUID
    quantity: int = 1
    option_ids: tuple[UUID, ...] = ()
    staff_id: UUID | None = None
    price: Decimal | None = None  # instead of the catalog's
    discount: Discount | None = None  # of this line alone
    line_id: UUID | None = None  # of an order that exists; its price stays


class Cart(NamedTuple):
    lines: tuple[CartLine, ...] = ()
    customer_id: UUID | None = None
    discount: Discount | None = None
    branch_id: UUID | None = None


class PricedCart(NamedTuple):
    order: OrderRequest
    priced: Priced


def cart_request(cart: Cart) -> OrderRequest:
    """The types of the lines are not known before the catalog is read."""
    return OrderRequest(
        branch_id=cart.branch_id,
        customer_id=cart.customer_id,
        start=None,
        lines=[
            OrderLineRequest(
                line.item_id, LineType.PRODUCT, line.quantity, line.staff_id, line.price, option_ids=line.option_ids
            )
            for line in cart.lines
        ],
        note=None,
        payments=[],
        source=Source.POS,
        requires_booking=False,
        discount=cart.discount,
    )


def price_cart(tenant: TenantContext, cart: Cart, inputs: OrderInputs, now: datetime) -> PricedCart:
    """A line's own percentage is computed from its amount first, so that an order stores an amount."""
    order = with_types(cart_request(cart), inputs)
    if any(line.discount for line in cart.lines):
        plain = preview_totals(tenant, order._replace(discount=None), inputs, now)
        discounts = [
            line_discount(line.discount, priced, tenant.currency_decimals)
            for line, priced in zip(cart.lines, plain.lines, strict=True)
        ]
        lines = [line._replace(discount_amount=amount) for line, amount in zip(order.lines, discounts, strict=True)]
        order = order._replace(lines=lines)
    return PricedCart(order, preview_totals(tenant, order, inputs, now))


def cart_shortages(order: OrderRequest, inputs: OrderInputs, returned: Sequence[StockUse]) -> list[Shortage]:
    """`returned` comes back of an earlier sale, and can be taken again."""
    return list(stock_shortages(order, CatalogSnapshot(inputs.context, order), returned))


def line_discount(discount: Discount | None, line: PricedLine, decimals: int) -> Decimal:
    if discount is None:
        return Decimal(0)
    if discount.kind is DiscountKind.FIXED:
        return discount.amount
    whole = LineToPrice(line.unit_amount, line.quantity, discountable=True)
    return compute_totals([whole], discount, decimals).discount_amount
