"""The day's close: what each cashier of a branch took, gave back and should have in the drawer.

A day that is open is computed; a day that was closed is stored and never changes again.
"""

from datetime import date, timedelta
from decimal import Decimal
from functools import partial
from uuid import UUID

import msgspec

from frontdesk.day_close.close_queries import (
    find_close,
    insert_close,
    list_method_totals,
    list_order_totals,
    stop_the_clock,
)
from frontdesk.day_close.documents import CashierTotals, DayClose, PaymentMethodTotals
from frontdesk.day_close.types import MethodTotal, NewDayClose, OrderTotals, Period
from frontdesk.errors import invalid
from frontdesk.orders.types import Actor
from frontdesk.postgres.pool import Connection
from frontdesk.tenants.queries import exists_branch
from frontdesk.tenants.types import TenantContext
from frontdesk.values.ids import uuid7
from frontdesk.values.money import exact_sum, round_half_up
from frontdesk.values.time import format_utc, get_zone, local_day_bounds

_JSON = msgspec.json.Encoder(decimal_format="number")
_EMPTY = OrderTotals(None, 0, Decimal(0), 0, Decimal(0), 0, Decimal(0))


async def read_day(conn: Connection, tenant: TenantContext, branch_id: UUID, day: date) -> DayClose:
    """The stored close, or what the day comes to so far."""
    await _check_branch(conn, tenant, branch_id)
    stored = await _find_stored(conn, tenant, branch_id, day)
    if stored is not None:
        return stored
    period = await _find_period(conn, tenant, branch_id, day)
    return DayClose(day, tenant.currency, await _compute(conn, tenant, branch_id, period))


async def close_day(conn: Connection, tenant: TenantContext, branch_id: UUID, day: date, actor: Actor) -> DayClose:
    """Store the day's totals. A day that was closed before is answered as it was stored."""
    async with conn.transaction():
        await _check_branch(conn, tenant, branch_id)
        now = await stop_the_clock(conn, tenant.tenant_id)
        stored = await _find_stored(conn, tenant, branch_id, day)
        if stored is not None:
            return stored
        if local_day_bounds(day, get_zone(tenant.timezone))[0] > now:
            raise invalid({"date": ["must not be in the future"]})
        start, end = await _find_period(conn, tenant, branch_id, day)
        period = Period(start, min(end, now))
        cashiers = _JSON.encode(await _compute(conn, tenant, branch_id, period)).decode()
        new = NewDayClose(uuid7(), branch_id, day, period, tenant.currency, cashiers, now)
        await insert_close(conn, tenant.tenant_id, new, actor)
        closed = await _find_stored(conn, tenant, branch_id, day)
    if closed is None:
        raise LookupError(day)
    return closed


async def _check_branch(conn: Connection, tenant: TenantContext, branch_id: UUID) -> None:
    if not await exists_branch(conn, tenant.tenant_id, branch_id):
        raise invalid({"team_id": ["is not a branch of this business"]})


async def _find_stored(conn: Connection, tenant: TenantContext, branch_id: UUID, day: date) -> DayClose | None:
    stored = await find_close(conn, tenant.tenant_id, branch_id, day)
    if stored is None:
        return None
    cashiers = msgspec.json.decode(stored.cashiers, type=list[CashierTotals])
    return DayClose(day, stored.currency, cashiers, stored.number, format_utc(stored.closed_at))


async def _find_period(conn: Connection, tenant: TenantContext, branch_id: UUID, day: date) -> Period:
    """The local day; what happened after the day before was closed early belongs to this one."""
    start, end = local_day_bounds(day, get_zone(tenant.timezone))
    earlier = await find_close(conn, tenant.tenant_id, branch_id, day - timedelta(days=1))
    return Period(start if earlier is None else min(start, earlier.ends_at), end)


async def _compute(conn: Connection, tenant: TenantContext, branch_id: UUID, period: Period) -> list[CashierTotals]:
    """One row per cashier, in the order of their names; sales outside the till come last."""
    sales = await list_order_totals(conn, tenant.tenant_id, branch_id, period)
    methods = await list_method_totals(conn, tenant.tenant_id, branch_id, period)
    names = {row.cashier for row in sales} | {row.cashier for row in methods}
    return [
        _cashier(name, sales, methods, tenant.currency_decimals)
        for name in sorted(names, key=lambda n: (n is None, n or ""))
    ]


def _cashier(
    cashier: str | None, sales: list[OrderTotals], all_methods: list[MethodTotal], decimals: int
) -> CashierTotals:
    exact = partial(round_half_up, decimals=decimals)
    own = next((row for row in sales if row.cashier == cashier), _EMPTY)
    methods = [row for row in all_methods if row.cashier == cashier]
    return CashierTotals(
        cashier=cashier,
        sales=own.sales,
        sold=exact(own.sold),
        refunds=own.refunds,
        refunded=exact(own.refunded),
        change=exact(exact_sum(method.change for method in methods)),
        expected_cash=exact(_expected_cash(methods)),
        methods=[
            PaymentMethodTotals(m.method_id, m.type, exact(m.paid), exact(m.refunded), exact(m.change)) for m in methods
        ],
        cancellations=own.cancellations,
        canceled=exact(own.canceled),
    )


def _expected_cash(methods: list[MethodTotal]) -> Decimal:
    """What was put in the drawer less what was taken out: change is coins, whatever it was tendered in."""
    cash = exact_sum(method.paid + method.refunded for method in methods if method.type == "cash")
    return cash - exact_sum(method.change for method in methods if method.type != "cash")
