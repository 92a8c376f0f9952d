"""The close of a day: what each cashier of a branch received and refunded, and the expected cash.

A close ends a part of the day. Its totals are stored and never change; what comes later belongs to the next part of
the same day. The totals of the day are those of its closes and of what is not closed yet. A close also ends the session
of the drawer of all: a person at the dashboard counts it, a till that closes by the POS API does not. Shifts of
cashiers are counted and closed by themselves before (shift.py).
"""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from functools import partial
from uuid import UUID

import msgspec

from frontdesk.day_close.close_queries import LOCK, DayToClose, get_day
from frontdesk.day_close.count import check_count, count_cashiers, count_methods, expected_cash, stored_drawer
from frontdesk.day_close.documents import CashierTotals, DayClose, PaymentMethodTotals
from frontdesk.day_close.drawer_types import Count
from frontdesk.day_close.problems import CloseProblem
from frontdesk.day_close.stored_queries import MAX_AGE
from frontdesk.day_close.types import MethodTotal, OrderTotals
from frontdesk.postgres.act import Act, Context, FunctionCall, ResponseDocument
from frontdesk.postgres.query import Query
from frontdesk.problems import Problem
from frontdesk.values.ids import uuid7
from frontdesk.values.money import exact_sum, round_half_up
from frontdesk.values.tenant_context import TenantContext
from frontdesk.values.time import format_utc, get_zone, to_local

_JSON = msgspec.json.Encoder(decimal_format="number")
_EMPTY = OrderTotals(None, 0, Decimal(0), 0, Decimal(0), 0, Decimal(0))


def day_totals(tenant: TenantContext, day: date, loaded: DayToClose) -> DayClose:
    """Of all closes, and of what is not closed yet. The number is that of the last close, once all is closed."""
    last = loaded.stored[-1] if loaded.is_closed else None
    currency = last.currency if last else tenant.currency
    cashiers = add_cashiers([*(close.cashiers for close in loaded.stored), open_totals(tenant, loaded)])
    return DayClose(day, currency, cashiers, last and last.number, last and format_utc(last.closed_at))


class AlreadyClosed(Exception):
    """Nothing has happened since the last close of the day, so the count is not stored."""


class CloseDay(Act[DayToClose], frozen=True):
    """Closing a day again, when nothing has happened since its last close, returns the stored totals."""

    branch_id: UUID
    day: date
    count: Count | None = None  # of a person at the dashboard; a till does not count

    def load(self) -> Query[DayToClose]:
        return get_day(self.branch_id, self.day).locking(LOCK)

    def decide(self, context: Context[DayToClose]) -> FunctionCall:
        tenant, loaded = context.tenant, context.loaded
        if self.count is None and loaded.is_closed:
            return FunctionCall(None, None, ResponseDocument("day_close_document", loaded.stored[-1].id))
        if self.count is not None and loaded.is_closed and not loaded.has_shifts:
            raise AlreadyClosed
        if self.count is not None and is_old(tenant, loaded, self.day):
            raise Problem(CloseProblem.TOO_OLD_TO_CLOSE)
        if self.count is not None and loaded.open_shifts:
            raise Problem(CloseProblem.SHIFTS_OPEN, names=", ".join(loaded.open_shifts))
        if loaded.day_starts > loaded.now:
            raise Problem(CloseProblem.IN_FUTURE, "date")
        if self.count is not None:
            check_count(tenant, loaded, self.count)
        close_id = uuid7()
        argument = {"id": close_id, **self._counted(loaded), **self._totals(tenant, loaded)}
        return FunctionCall("close_day", argument, ResponseDocument("day_close_document", close_id))

    def _counted(self, loaded: DayToClose) -> dict[str, object]:
        count = self.count
        return {
            "drawer": _raw(stored_drawer(loaded, count)),
            "methods": _raw(count and count_methods(loaded, count)),
            "handed_over": _raw((count and count_cashiers(loaded, count)) or None),
            "note": count.note if count else None,
        }

    def _totals(self, tenant: TenantContext, loaded: DayToClose) -> dict[str, object]:
        """With the numbers by which the function sees that nothing has come meanwhile."""
        cashiers = open_totals(tenant, loaded)
        return {
            "previous_id": loaded.stored[-1].id if loaded.stored else None,
            "branch_id": self.branch_id,
            "day": self.day,
            "starts_at": loaded.starts,
            "ends_at": loaded.ends,
            "closed_at": loaded.now,
            "currency": tenant.currency,
            "cashiers": _raw(cashiers),
            "day_cashiers": _raw(add_cashiers([*(close.cashiers for close in loaded.stored), cashiers])),
            "session_id": loaded.drawer.session_id if loaded.drawer else None,
            "status_changes": loaded.status_changes,
            "tip_count": loaded.tip_count,
            "drawer_number": loaded.drawer_number,
            "order_number": loaded.order_number,
            "transaction_no": loaded.transaction_no,
        }


def is_old(tenant: TenantContext, loaded: DayToClose, day: date) -> bool:
    """A day so long ago is a person's mistake; a till can still close it."""
    return (to_local(loaded.now, get_zone(tenant.timezone)).date() - day).days > MAX_AGE


def _raw(value: object) -> msgspec.Raw:
    return msgspec.Raw(_JSON.encode(value))


def open_totals(tenant: TenantContext, loaded: DayToClose) -> list[CashierTotals]:
    """Of what is not closed yet: one row per cashier, by name; sales without a cashier come last."""
    names = {row.cashier for row in loaded.orders} | {row.cashier for row in loaded.methods}
    return [_cashier(name, loaded.orders, loaded.methods, tenant.currency_decimals) for name in _sorted(names)]


def _sorted(names: set[str | None]) -> list[str | None]:
    return sorted(names, key=lambda name: (name is None, name or ""))


def add_cashiers(parts: Sequence[Sequence[CashierTotals]]) -> list[CashierTotals]:
    """The totals of several parts together, each cashier once."""
    rows = [row for part in parts for row in part]
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
