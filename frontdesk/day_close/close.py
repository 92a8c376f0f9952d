"""The close of a day: what each cashier of a branch received and refunded, and the expected cash.

A close ends a shift. Its totals are stored and never change; what comes later belongs to the next shift of the same
day. The totals of the day are those of its closes and of what is not closed yet. A close also ends the session of the
drawer: a person at the dashboard counts it, a till that closes by the POS API does not.
"""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from functools import partial
from uuid import UUID

import msgspec

from frontdesk.day_close.close_queries import LOCK, SeenDay, get_day
from frontdesk.day_close.count import check_count, count_cashiers, count_methods, expected_cash, stored_drawer
from frontdesk.day_close.documents import CashierTotals, DayClose, PaymentMethodTotals
from frontdesk.day_close.drawer_types import Count
from frontdesk.day_close.problems import CloseProblem
from frontdesk.day_close.types import MethodTotal, OrderTotals
from frontdesk.postgres.act import FunctionCall, ResponseDocument
from frontdesk.postgres.write import Look
from frontdesk.problems import Problem
from frontdesk.values.ids import uuid7
from frontdesk.values.money import exact_sum, round_half_up
from frontdesk.values.tenant_context import TenantContext
from frontdesk.values.time import format_utc

_JSON = msgspec.json.Encoder(decimal_format="number")
_EMPTY = OrderTotals(None, 0, Decimal(0), 0, Decimal(0), 0, Decimal(0))


def day_totals(tenant: TenantContext, day: date, seen: SeenDay) -> DayClose:
    """Of all shifts, and of what is not closed yet. The number is that of the last close, once all is closed."""
    last = seen.stored[-1] if seen.is_closed else None
    currency = last.currency if last else tenant.currency
    cashiers = add_cashiers([*(close.cashiers for close in seen.stored), open_totals(tenant, seen)])
    return DayClose(day, currency, cashiers, last and last.number, last and format_utc(last.closed_at))


def look_at_day(branch_id: UUID, day: date) -> Look[SeenDay]:
    return Look(get_day(branch_id, day), LOCK)


def plan_close(
    tenant: TenantContext, branch_id: UUID, day: date, seen: SeenDay, count: Count | None = None
) -> FunctionCall:
    """Closing a day again, when nothing has happened since its last close, returns the stored totals."""
    if seen.is_closed:
        return FunctionCall(None, None, ResponseDocument("day_close_document", seen.stored[-1].id))
    if seen.day_starts > seen.now:
        raise Problem(CloseProblem.IN_FUTURE, "date")
    if count is not None:
        check_count(tenant, seen, count)
    close_id, cashiers = uuid7(), open_totals(tenant, seen)
    argument = {
        "id": close_id,
        "previous_id": seen.stored[-1].id if seen.stored else None,
        "branch_id": branch_id,
        "day": day,
        "starts_at": seen.starts,
        "ends_at": seen.ends,
        "closed_at": seen.now,
        "currency": tenant.currency,
        "cashiers": _raw(cashiers),
        "day_cashiers": _raw(add_cashiers([*(close.cashiers for close in seen.stored), cashiers])),
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
    return FunctionCall("close_day", argument, ResponseDocument("day_close_document", close_id))


def _raw(value: object) -> msgspec.Raw:
    return msgspec.Raw(_JSON.encode(value))


def open_totals(tenant: TenantContext, seen: SeenDay) -> list[CashierTotals]:
    """Of what is not closed yet: one row per cashier, by name; sales without a cashier come last."""
    names = {row.cashier for row in seen.orders} | {row.cashier for row in seen.methods}
    return [_cashier(name, seen.orders, seen.methods, tenant.currency_decimals) for name in _sorted(names)]


def _sorted(names: set[str | None]) -> list[str | None]:
    return sorted(names, key=lambda name: (name is None, name or ""))


def add_cashiers(shifts: Sequence[Sequence[CashierTotals]]) -> list[CashierTotals]:
    """The totals of several shifts together, each cashier once."""
    rows = [row for shift in shifts for row in shift]
    return [_add([row for row in rows if row.cashier == name]) for name in _sorted({row.cashier for row in rows})]


def _add(rows: Sequence[CashierTotals]) -> CashierTotals:
    methods: dict[UUID, list[PaymentMethodTotals]] = {}
    for method in (method for row in rows for method in row.methods):
        methods.setdefault(method.payment_method_id, []).append(method)
    return CashierTotals(
        cashier=rows[0].cashier,
        sales=sum(row.sales for row in rows),
        sold=exact_sum(row.sold for row in rows),
        refunds=sum(row.refunds for row in rows),
        refunded=exact_sum(row.refunded for row in rows),
        change=exact_sum(row.change for row in rows),
        expected_cash=exact_sum(row.expected_cash for row in rows),
        methods=[_add_method(same) for same in methods.values()],
        cancellations=sum(row.cancellations for row in rows),
        canceled=exact_sum(row.canceled for row in rows),
    )


def _add_method(rows: Sequence[PaymentMethodTotals]) -> PaymentMethodTotals:
    return PaymentMethodTotals(
        rows[0].payment_method_id,
        rows[0].type,
        exact_sum(row.paid for row in rows),
        exact_sum(row.refunded for row in rows),
        exact_sum(row.change for row in rows),
    )


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
