"""The sums of some days, and how they differ from those of the days before."""

from collections.abc import Sequence
from decimal import Decimal

from frontdesk.i18n.texts import N_, translate
from frontdesk.reports.types import DaySales
from frontdesk.values.money import exact_sum

_TAKEN_BACK = ("cancellation", "canceled_refund")


class SalesSums:
    def __init__(self, sales: Sequence[DaySales]) -> None:
        self.net = exact_sum(row.total for row in sales)
        self.tax = exact_sum(row.tax for row in sales)
        self.discount = exact_sum(row.discount for row in sales)
        self.made = sum(row.orders for row in sales if row.kind == "sale")
        self.canceled_orders = -sum(row.orders for row in sales if row.kind == "cancellation")
        self.orders = self.made - self.canceled_orders
        self.sold = exact_sum(row.total for row in sales if row.kind == "sale")
        self.canceled = exact_sum(row.total for row in sales if row.kind in _TAKEN_BACK)
        self.refunds = sum(row.orders for row in sales if row.kind == "refund")
        self.refunded = exact_sum(row.total for row in sales if row.kind == "refund")
        self.changed = exact_sum(row.total for row in sales if row.kind == "change")

    @property
    def average(self) -> Decimal:
        return self.net / self.orders if self.orders > 0 else Decimal(0)

    @property
    def canceled_percent(self) -> str:
        return f"{100 * self.canceled_orders / self.made:.1f}%" if self.made else "–"


def change_text(language: str, now: Decimal | int, before: Decimal | int) -> str:
    """How much more or less than in the days before, such as "up 8.2%"."""
    if now == before:
        return translate(language, N_("no change"))
    if before <= 0:
        return translate(language, N_("nothing before"))
    percent = isolate(f"{abs(100 * (now - before) / before):.1f}%")
    return translate(language, N_("up %(percent)s") if now > before else N_("down %(percent)s")) % {"percent": percent}


def isolate(number: str) -> str:
    """So that the sign stays beside the number in a line from right to left."""
    return f"\N{LEFT-TO-RIGHT ISOLATE}{number}\N{POP DIRECTIONAL ISOLATE}"
