"""Resuming a held sale: the cart that a draft was made from."""

from datetime import datetime
from decimal import Decimal

from frontdesk.orders.pricing import Discount, DiscountKind
from frontdesk.orders.queries.order_context import OrderInputs
from frontdesk.problems import Problem
from frontdesk.till.cart import Cart, CartLine, price_cart
from frontdesk.till.queries import HeldSale
from frontdesk.values.tenant_context import TenantContext


def plain_cart(held: HeldSale) -> Cart:
    """At the prices of the catalog, without discounts."""
    lines = tuple(CartLine(line.item_id, line.quantity, tuple(line.option_ids), line.staff_id) for line in held.lines)
    return Cart(lines, held.customer_id, None, held.branch_id)


def resume_cart(tenant: TenantContext, held: HeldSale, inputs: OrderInputs, now: datetime) -> Cart:
    """A line stores what was charged: a price that differs from the catalog's was entered by hand.

    The discount of the order is kept if it explains the discounts of all lines; otherwise each line keeps its own.
    """
    cart = plain_cart(held)
    try:
        catalog = price_cart(tenant, cart, inputs, now).priced
        lines = tuple(
            line if stored.price == priced.unit_amount else line._replace(price=stored.price)
            for line, stored, priced in zip(cart.lines, held.lines, catalog.lines, strict=True)
        )
        shared = cart._replace(lines=lines, discount=_discount(held))
        amounts = price_cart(tenant, shared, inputs, now).priced.lines
    except Problem:
        return cart  # something is no longer on sale; the till says what
    if [line.discount_amount for line in amounts] == [line.discount_amount for line in held.lines]:
        return shared
    own = zip(lines, held.lines, strict=True)
    return cart._replace(lines=tuple(_with_own_discount(line, stored.discount_amount) for line, stored in own))


def _discount(held: HeldSale) -> Discount | None:
    if held.discount is None:
        return None
    return Discount(DiscountKind(held.discount.kind), held.discount.amount, held.discount.apply_all)


def _with_own_discount(line: CartLine, amount: Decimal) -> CartLine:
    return line._replace(discount=Discount(DiscountKind.FIXED, amount)) if amount else line
