"""What each cashier took by each payment method. The published totals leave tips out; the page has them."""

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

from frontdesk.day_close.documents import CashierTotals, PaymentMethodTotals
from frontdesk.day_close.types import TipTotal


class CashierRow(NamedTuple):
    cashier: str | None
    method_id: UUID | None  # None: no payments
    paid: Decimal
    refunded: Decimal
    tips: Decimal
    expected: Decimal


def cashier_rows(totals: Sequence[CashierTotals], tips: Sequence[TipTotal]) -> list[CashierRow]:
    """By cashier, as in the totals."""
    own = {(tip.cashier, tip.method_id): tip.amount for tip in tips}
    rows = [row for total in totals for row in _rows(total, own)]
    shown = {(row.cashier, row.method_id) for row in rows}
    alone = [
        CashierRow(*key, Decimal(0), Decimal(0), amount, amount) for key, amount in own.items() if key not in shown
    ]
    return sorted([*rows, *alone], key=lambda row: (row.cashier is None, row.cashier or ""))


def _rows(total: CashierTotals, tips: dict[tuple[str | None, UUID], Decimal]) -> list[CashierRow]:
    if not total.methods and total.cashier is None and not total.expected_cash:
        return []  # orders that nobody was paid for
    if not total.methods:
        return [CashierRow(total.cashier, None, Decimal(0), Decimal(0), Decimal(0), total.expected_cash)]
    return [
        _row(total, method, tips.get((total.cashier, method.payment_method_id), Decimal(0))) for method in total.methods
    ]


def _row(total: CashierTotals, method: PaymentMethodTotals, tip: Decimal) -> CashierRow:
    taken = total.expected_cash if method.type == "cash" else method.paid + method.refunded
    return CashierRow(total.cashier, method.payment_method_id, method.paid, method.refunded, tip, taken + tip)
