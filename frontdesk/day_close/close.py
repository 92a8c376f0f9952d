"""The close of a day: what each cashier of a branch received and refunded, and the expected cash.

The totals of an open day are computed; those of a closed day are stored and never change. The close also ends the
session of the drawer: a person at the dashboard counts it, a till that closes by the POS API does not.
"""

from datetime import date
from decimal import Decimal
from functools import partial
from uuid import UUID

import msgspec

from frontdesk.day_close.close_queries import LOCK, SeenDay, get_day
from frontdesk.day_close.count import check_count, count_cashiers, count_methods, expected_cash, stored_drawer
from frontdesk.day_close.documents import CashierTotals, DayClose, PaymentMethodTotals
from frontdesk.day_close.drawer_types import Count
from frontdesk.day_close.types import MethodTotal, OrderTotals
from frontdesk.errors import invalid
from frontdesk.postgres.write import Call, Document, Look
from frontdesk.tenants.types import TenantContext
from frontdesk.values.ids import uuid7
from frontdesk.values.money import exact_sum, round_half_up
from frontdesk.values.time import format_utc

_JSON = msgspec.json.Encoder(decimal_format="number")
_EMPTY = OrderTotals(None, 0, Decimal(0), 0, Decimal(0), 0, Decimal(0))


def day_totals(tenant: TenantContext, day: date, seen: SeenDay) -> DayClose:
    """The stored close, or the totals so far."""
    if seen.stored is None:
        return DayClose(day, tenant.currency, _compute(tenant, seen))
    cashiers = msgspec.json.decode(seen.stored.cashiers, type=list[CashierTotals])
    return DayClose(day, seen.stored.currency, cashiers, seen.stored.number, format_utc(seen.stored.closed_at))


def look_at_day(branch_id: UUID, day: date) -> Look[SeenDay]:
    return Look(get_day(branch_id, day), LOCK)


def plan_close(tenant: TenantContext, branch_id: UUID, day: date, seen: SeenDay, count: Count | None = None) -> Call:
    """Closing a closed day again returns the stored totals."""
    if seen.stored is not None:
        return Call(None, None, Document("day_close_document", seen.stored.id))
    if seen.day_starts > seen.now:
        raise invalid({"date": ["must not be in the future"]})
    if count is not None:
        check_count(tenant, seen, count)
    close_id = uuid7()
    argument = {
        "id": close_id,
        "branch_id": branch_id,
        "day": day,
        "starts_at": seen.starts,
        "ends_at": seen.ends,
        "closed_at": seen.now,
        "currency": tenant.currency,
        "cashiers": _raw(_compute(tenant, seen)),
        "drawer": _raw(stored_drawer(seen, count)),
        "methods": _raw(count and count_methods(seen, count)),
        "handed_over": _raw((count and count_cashiers(seen, count)) or None),
        "note": count.note if count else None,
        "session_id": seen.drawer.session_id if seen.drawer else None,
        "status_changes": seen.status_changes,
        "tip_count": seen.tip_count,
        "drawer_number": seen.drawer_number,
        "order_number": seen.order_number,
        "transaction_no": seen.transaction_no,
    }
    return Call("close_day", argument, Document("day_close_document", close_id))


def _raw(value: object) -> msgspec.Raw:
    return msgspec.Raw(_JSON.encode(value))


def _compute(tenant: TenantContext, seen: SeenDay) -> list[CashierTotals]:
    """One row per cashier, by name; sales without a cashier come last."""
    names = {row.cashier for row in seen.orders} | {row.cashier for row in seen.methods}
    return [
        _cashier(name, seen.orders, seen.methods, tenant.currency_decimals)
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
        expected_cash=exact(expected_cash(methods)),
        methods=[
            PaymentMethodTotals(m.method_id, m.type, exact(m.paid), exact(m.refunded), exact(m.change)) for m in methods
        ],
        cancellations=own.cancellations,
        canceled=exact(own.canceled),
    )
