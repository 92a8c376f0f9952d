"""The till's own books: kept from what it asked for, so that they can be held against the service's."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

Sums = Counter[str]  # by name; Decimal amounts and counts alike


@dataclass
class Tender:
    method_id: str
    is_cash: bool
    amount: Decimal
    tendered: Decimal
    left: Decimal  # not given back yet


@dataclass
class Receipt:
    order_id: str
    lines: list[tuple[str, Decimal, Decimal]]  # id, quantity, what was charged for it after the discount
    tenders: list[Tender]


class Books:
    def __init__(self) -> None:
        self.sums: Sums = Counter()

    def sold(self, total: Decimal, tenders: Iterable[Tender] = ()) -> None:
        self._add("sales", Decimal(1))
        self._add("sold", total)
        for tender in tenders:
            self._moved("paid", tender, tender.amount)
            self._add("change", tender.tendered - tender.amount)

    def refunded(self, receipt: Receipt, amount: Decimal) -> None:
        """Back to what was paid last."""
        self._add("refunds", Decimal(1))
        self._add("refunded", -amount)
        for tender in reversed(receipt.tenders):
            share = min(amount, tender.left)
            if share:
                tender.left -= share
                amount -= share
                self._moved("refunded", tender, -share)

    def _moved(self, what: str, tender: Tender, amount: Decimal) -> None:
        self._add(f"{what} {tender.method_id}", amount)
        self._add("expected_cash", amount if tender.is_cash else Decimal(0))

    def _add(self, name: str, amount: Decimal) -> None:
        self.sums.update({name: amount})


def sums_of_close(close: dict[str, Any], cashier: str) -> Sums:
    """One cashier's row of the service's day close, under the same names."""
    sums: Sums = Counter()
    for row in close["cashiers"]:
        if row["cashier"] == cashier:
            names = ("sales", "sold", "refunds", "refunded", "change", "expected_cash")
            sums.update({name: row[name] for name in names})
            for method in row["methods"]:
                sums.update({f"{what} {method['payment_method_id']}": method[what] for what in ("paid", "refunded")})
    return sums


def differences(own: Sums, theirs: Sums) -> dict[str, tuple[Decimal, Decimal]]:
    names = sorted(set(own) | set(theirs))
    return {name: (Decimal(own[name]), Decimal(theirs[name])) for name in names if own[name] != theirs[name]}
