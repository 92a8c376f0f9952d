"""Who may sell at another price than the catalog's, and who may take off how much."""

from collections import Counter
from collections.abc import Iterable
from decimal import Decimal
from uuid import UUID

from frontdesk.i18n.texts import N_
from frontdesk.orders.discount_limit import check_discount
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import fetch
from frontdesk.till.cart import CartLine
from frontdesk.till.queries import ParkedLine, ParkedSale, find_parked_sale
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import MANAGERS
from frontdesk.ui.shell.problems import page_problem
from frontdesk.ui.till.state import TillState
from frontdesk.values.money import exact_sum

_Sold = tuple[UUID, frozenset[UUID], int]


async def check_prices(
    context: PageContext, conn: Connection, state: TillState, sub_total: Decimal, total: Decimal
) -> None:
    """Owners and managers may do everything. Others may sell what one of them has parked, exactly as it is parked."""
    if context.has_access(MANAGERS) or not state.lines:
        return
    priced = Counter((_sold(line), line.price) for line in state.lines if line.price is not None)
    discount = sub_total - total
    if not priced and not discount:
        return
    parked = await _parked(context, conn, state)
    if not priced <= Counter((_sold(line), line.price) for line in parked):
        raise page_problem(N_("Only owners and managers can change a price."), "price")
    is_as_parked = Counter(map(_sold, state.lines)) == Counter(map(_sold, parked))
    if not is_as_parked or discount > exact_sum(line.discount_amount for line in parked):
        check_discount(sub_total, discount)


async def _parked(context: PageContext, conn: Connection, state: TillState) -> Iterable[ParkedLine]:
    if state.order is None:
        return ()
    parked: ParkedSale | None = await fetch(conn, context.tenant_id, find_parked_sale(state.order))
    return parked.lines if parked is not None and parked.status == "draft" else ()


def _sold(line: CartLine | ParkedLine) -> _Sold:
    return line.item_id, frozenset(line.option_ids), line.quantity
