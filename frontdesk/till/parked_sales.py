"""The cart that a draft was made from, and that of an order which is checked out."""

from datetime import datetime
from decimal import Decimal

from frontdesk.orders.pricing import Discount, DiscountKind
from frontdesk.orders.queries.order_context import OrderInputs
from frontdesk.problems import Problem
from frontdesk.till.cart import Cart, CartLine, price_cart
from frontdesk.till.queries import ParkedSale
from frontdesk.values.tenant_context import TenantContext


def plain_cart(parked: ParkedSale) -> Cart:
    """At the prices of the catalog, without discounts."""
    lines = tuple(CartLine(line.item_id, line.quantity, tuple(line.option_ids), line.staff_id) for line in parked.lines)
    return Cart(lines, parked.customer_id, None, parked.branch_id)


def resume_cart(tenant: TenantContext, parked: ParkedSale, inputs: OrderInputs, now: datetime) -> Cart:
    """A line stores what was charged: a price that differs from the catalog's was entered by hand.

    The discount of the order is kept if it explains the discounts of all lines; otherwise each line keeps its own.
    """
    cart = plain_cart(parked)
    try:
        catalog = price_cart(tenant, cart, inputs, now).priced
        lines = tuple(
            line if stored.price == priced.unit_amount else line._replace(price=stored.price)
            for line, stored, priced in zip(cart.lines, parked.lines, catalog.lines, strict=True)
        )
        shared = cart._replace(lines=lines, discount=_discount(parked))
        amounts = price_cart(tenant, shared, inputs, now).priced.lines
    except Problem:
        return cart  # something is no longer on sale; the till says what
    if [line.discount_amount for line in amounts] == [line.discount_amount for line in parked.lines]:
        return shared
    own = zip(lines, parked.lines, strict=True)
    return cart._replace(lines=tuple(_with_own_discount(line, stored.discount_amount) for line, stored in own))


def cart_of_order(order: ParkedSale) -> Cart:
    """The lines of an order as they were sold; the price of each stays."""
    lines = tuple(
        _with_own_discount(
            CartLine(line.item_id, line.quantity, tuple(line.option_ids), line.staff_id, line_id=line.id),
            line.own_discount,
        )
        for line in order.lines
    )
    return Cart(lines, order.customer_id, _discount(order), order.branch_id)


def _discount(parked: ParkedSale) -> Discount | None:
    if parked.discount is None:
        return None
    return Discount(DiscountKind(parked.discount.kind), parked.discount.amount, parked.discount.apply_all)


def _with_own_discount(line: CartLine, amount: Decimal) -> CartLine:
    return line._replace(discount=Discount(DiscountKind.FIXED, amount)) if amount else line
