"""Who may sell at another price than the catalog's, take off how much, and take something back."""

from collections import Counter
from collections.abc import Iterable
from decimal import Decimal
from uuid import UUID

from frontdesk.orders.discount_limit import check_discount
from frontdesk.orders.problems import TillProblem
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import fetch
from frontdesk.problems import Problem
from frontdesk.till.cart import CartLine
from frontdesk.till.queries import ParkedLine, ParkedSale, find_parked_sale
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.till.approval import find_approval
from frontdesk.ui.till.state import TillState
from frontdesk.values.money import exact_sum

_Sold = tuple[UUID, frozenset[UUID], int]


async def check_prices(
    context: PageContext, conn: Connection, state: TillState, sub_total: Decimal, total: Decimal
) -> None:
    """Owners and managers may do everything. Others may sell what one of them has parked, exactly as it is parked, and
    what one of them has allowed for this cart; the act then names who did.
    """
    if context.is_manager:
        return
    discount = sub_total - total
    try:
        await _check_alone(context, conn, state, sub_total, discount)
    except Problem:
        approval = await find_approval(context, conn, state)
        if approval is None or discount > approval.discount:
            raise
        context.approval = (approval.approver_id, approval.reason)


async def _check_alone(
    context: PageContext, conn: Connection, state: TillState, sub_total: Decimal, discount: Decimal
) -> None:
    if state.back is not None:
        raise Problem(TillProblem.RETURN_BY_MANAGERS)
    priced = Counter((_sold(line), line.price) for line in state.lines if line.price is not None)
    if not priced and (not discount or not state.lines):
        return
    parked = await _parked(context, conn, state)
    if not priced <= Counter((_sold(line), line.price) for line in parked):
        raise Problem(TillProblem.PRICE_BY_MANAGERS, "price")
    stored = exact_sum(line.discount_amount for line in parked)
    if state.checks_out and discount <= stored:
        return  # the order has it already
    is_as_parked = Counter(map(_sold, state.lines)) == Counter(map(_sold, parked))
    if not is_as_parked or discount > stored:
        check_discount(sub_total, discount)


async def _parked(context: PageContext, conn: Connection, state: TillState) -> Iterable[ParkedLine]:
    if state.order is None:
        return ()
    parked: ParkedSale | None = await fetch(conn, context.tenant_id, find_parked_sale(state.order))
    return parked.lines if parked is not None and (parked.status == "draft" or state.checks_out) else ()


def _sold(line: CartLine | ParkedLine) -> _Sold:
    return line.item_id, frozenset(line.option_ids), line.quantity
