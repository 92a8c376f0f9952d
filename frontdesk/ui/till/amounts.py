"""The amounts of the cart in the address, and whether its user may sell at them."""

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from frontdesk.orders.pricing import Priced
from frontdesk.orders.queries.order_context import order_context
from frontdesk.orders.stock import Shortage, StockUse
from frontdesk.postgres.act import Context
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import fetch
from frontdesk.till.cart import cart_request, cart_shortages, price_cart
from frontdesk.till.check_out import CheckOutOrder, priced_order
from frontdesk.till.queries import stock_of_lines
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.till.prices import check_prices
from frontdesk.ui.till.state import TillState
from frontdesk.values.clock import current_time
from frontdesk.values.money import exact_sum


class StateAmounts(NamedTuple):
    priced: Priced
    before_discount: Decimal  # of the order; those of the lines are taken off
    short: Sequence[Shortage]


_ZERO = Decimal(0)
_NOTHING = StateAmounts(Priced((), _ZERO, _ZERO, _ZERO, _ZERO), _ZERO, ())


async def check_amounts(context: PageContext, conn: Connection, state: TillState) -> StateAmounts:
    """Raises if the discounts and prices of the cart cannot be given, or not by this user."""
    cart = await price_state(context, conn, state)
    await check_prices(context, conn, state, cart.priced.sub_total, cart.priced.total)
    return cart


async def price_state(context: PageContext, conn: Connection, state: TillState) -> StateAmounts:
    if not state.lines:
        return _NOTHING
    if state.checks_out:
        return await _price_order(context, conn, state)
    now = current_time()
    seen = await fetch(conn, context.tenant_id, order_context(cart_request(state.cart), now))
    order, priced = price_cart(context.tenant, state.cart, seen, now)
    own = exact_sum(line.discount_amount for line in order.lines)
    return StateAmounts(
        priced, priced.sub_total - own, cart_shortages(order, seen, await _returned_stock(context, conn, state))
    )


async def _returned_stock(context: PageContext, conn: Connection, state: TillState) -> list[StockUse]:
    if state.back is None or state.restock != "yes":
        return []
    give = dict(state.give)
    stock = await fetch(conn, context.tenant_id, stock_of_lines(state.back))
    return [StockUse(use.item_id, use.units * give[use.line_id], use.option_id) for use in stock if use.line_id in give]


async def _price_order(context: PageContext, conn: Connection, state: TillState) -> StateAmounts:
    """An order that exists, as it would become. What it lacks in stock is refused, as on the page of its lines."""
    act = CheckOutOrder(state.order or state.sale, state.version or 0, state.cart)
    loaded = await fetch(conn, context.tenant_id, act.load())
    edited = act.build(Context(context.tenant, context.actor, loaded))
    own = exact_sum(line.own_discount for line in edited.lines)
    return StateAmounts(priced_order(edited), edited.sub_total - own, ())
