"""Orders that the till opens: a draft that was held, and one that is to be paid. Both become carts."""

from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.orders.edit import find_edit_problem
from frontdesk.orders.queries.order_context import order_context
from frontdesk.orders.types import MAX_LINES, Status
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import fetch
from frontdesk.problems import or_not_found
from frontdesk.till.cart import cart_request
from frontdesk.till.parked_sales import cart_of_order, plain_cart, resume_cart
from frontdesk.till.queries import ParkedSale, find_parked_sale
from frontdesk.ui.components.order_queries import DashboardOrder, get_dashboard_order
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.till.state import TillState
from frontdesk.values.clock import current_time


async def resume(context: PageContext, conn: Connection, state: TillState) -> Response | DashboardOrder | None:
    """Leads to the cart of an order. An order whose lines cannot change, or which is a cart already, is returned."""
    if state.order is None or (state.lines and not state.checks_out):
        return None
    parked = or_not_found(await fetch(conn, context.tenant_id, find_parked_sale(state.order)), "order")
    if parked.status != "draft":
        order = await get_dashboard_order(conn, context.tenant_id, state.order, context.names_language)
        return order if state.lines or order is None else _cart_of(context, state, parked, order)
    if parked.starts_at is not None or not parked.lines:
        return context.redirect(f"/orders/{state.order}", flash=N_("Confirm this order before you take its payment."))
    now = current_time()
    seen = await fetch(conn, context.tenant_id, order_context(cart_request(plain_cart(parked)), now))
    cart = resume_cart(context.tenant, parked, seen, now)
    resumed = state._replace(
        lines=cart.lines, customer=cart.customer_id, discount=cart.discount, branch=parked.branch_id
    )
    return context.redirect(resumed.url)


def _cart_of(
    context: PageContext, state: TillState, stored: ParkedSale, order: DashboardOrder
) -> Response | DashboardOrder:
    """An order with something left to pay is a cart like any other, unless its lines can no longer change."""
    problem = find_edit_problem(
        status=Status(order.status),
        is_refund=order.sale is not None,
        invoiced=order.invoice is not None,
        refunded=bool(order.refunds),
    )
    if problem is not None or not order.remaining or len(stored.lines) > MAX_LINES:
        return order
    cart = cart_of_order(stored)
    opened = state._replace(
        lines=cart.lines,
        customer=cart.customer_id,
        discount=cart.discount,
        branch=cart.branch_id,
        version=stored.version,
        step="pay",
    )
    return context.redirect(opened.url)
