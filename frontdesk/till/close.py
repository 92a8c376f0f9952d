"""The day's close: what each cashier of a branch took, gave back and should have in the drawer."""

from datetime import date
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

from frontdesk.errors import invalid
from frontdesk.kit.clock import get_zone, local_day_bounds
from frontdesk.kit.db import Connection
from frontdesk.kit.money import add_up
from frontdesk.tenants.queries import exists_branch
from frontdesk.tenants.types import Business
from frontdesk.till.queries import list_method_totals, list_sale_totals
from frontdesk.till.types import MethodTotal, SaleTotal


class CashierClose(NamedTuple):
    cashier: str | None  # None: not sold at a till
    sales: int
    sold: Decimal
    refunds: int
    refunded: Decimal
    methods: list[MethodTotal]

    @property
    def change(self) -> Decimal:
        return add_up(method.change for method in self.methods)

    @property
    def expected_cash(self) -> Decimal:
        """What was put in the drawer less what was taken out: change is coins, whatever it was tendered in."""
        cash = add_up(method.paid + method.refunded for method in self.methods if method.type == "cash")
        return cash - add_up(method.change for method in self.methods if method.type != "cash")


async def close_day(conn: Connection, business: Business, branch_id: UUID, day: date) -> list[CashierClose]:
    """One row per cashier of the local day, in the order of their names; sales outside the till come last."""
    if not await exists_branch(conn, business.tenant_id, branch_id):
        raise invalid({"team_id": ["is not a branch of this business"]})
    period = local_day_bounds(day, get_zone(business.timezone))
    sales = await list_sale_totals(conn, business.tenant_id, branch_id, period)
    methods = await list_method_totals(conn, business.tenant_id, branch_id, period)
    names = {row.cashier for row in sales} | {row.cashier for row in methods}
    return [_close(name, sales, methods) for name in sorted(names, key=lambda n: (n is None, n or ""))]


def _close(cashier: str | None, sales: list[SaleTotal], methods: list[MethodTotal]) -> CashierClose:
    own = next((row for row in sales if row.cashier == cashier), SaleTotal(cashier, 0, Decimal(0), 0, Decimal(0)))
    return CashierClose(
        cashier, own.sales, own.sold, own.refunds, own.refunded, [row for row in methods if row.cashier == cashier]
    )
