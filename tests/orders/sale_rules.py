"""The rules of one order's money, units and status, in whole minor units, from the rules alone.

- An order is a draft, or it stands, or it is canceled. Only while it stands does it hold time and products.
- Money: what was paid never exceeds the total; what was given back never exceeds what was paid.
- A refund names lines with quantities (the sale's own amounts), or an amount, or everything that was paid and not yet
  given back. It returns units of lines when it names them, and when everything is exactly what is left of the lines;
  everything that is less, such as a deposit, returns units only when the products come back.
- Money goes back on the newest payment first.
- Pieces that a refund returned are settled. Canceling returns the others to stock.
- A refund that cancels needs an appointment to come, and puts all units back.
- A status does not cancel an order with an invoice or refunds. It is given up, if it is booked or has an invoice.
- Coming back from canceled is forbidden once money was given back or the invoice was credited.
- Each refund of an order with an invoice has a credit note, those from before the invoice too. A cancellation has one
  for the rest of the invoice, so that later refunds have none.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from uuid import UUID

from frontdesk.orders.types import OrderRequest

HOLDS_NOTHING = ("draft", "canceled")


@dataclass
class Sold:
    thing: UUID
    quantity: int
    total: int
    returned: int = 0

    @property
    def left(self) -> int:
        return self.quantity - self.returned

    def amount_of(self, units: int) -> int:
        """Running shares of the line, so that all steps together come to it."""
        return self._running(self.returned + units) - self._running(self.returned)

    def _running(self, units: int) -> int:
        return half_up(Fraction(self.total * units, self.quantity))


@dataclass
class Paid:
    method: UUID
    amount: int
    back: int = 0


@dataclass
class Refund:
    """What is asked for, and with `amount` and `by_method` what came of it."""

    units: list[int] | None = None  # by line; None: no lines are named
    amount: int | None = None  # with neither: everything
    restock: bool = False
    cancel: bool = False
    method: UUID | None = None
    by_method: dict[UUID, int] = field(default_factory=dict)


@dataclass
class Sale:
    """`stretches` are the bookings; they hold time only while the order stands."""

    asked: OrderRequest
    status: str
    lines: list[Sold]
    payments: list[Paid] = field(default_factory=list)
    refunds: list[Refund] = field(default_factory=list)
    invoiced: bool = False
    credited: list[int] = field(default_factory=list)  # by credit notes
    booked: bool = False  # False: still to find its time, as a draft or one that was canceled
    stretches: list[tuple[UUID, datetime, datetime]] = field(default_factory=list)
    history: list[str] = field(default_factory=list)

    @property
    def total(self) -> int:
        return sum(line.total for line in self.lines)

    @property
    def paid(self) -> int:
        return sum(payment.amount for payment in self.payments)

    @property
    def refunded(self) -> int:
        return sum(payment.back for payment in self.payments)

    @property
    def left(self) -> int:
        return self.paid - self.refunded

    @property
    def stands(self) -> bool:
        return self.status not in HOLDS_NOTHING

    @property
    def worth_now(self) -> int:
        """What the invoice and its credit notes add up to."""
        return 0 if self.status == "canceled" else self.total - self.refunded

    @property
    def is_upcoming(self) -> bool:
        """In these histories nobody's time has come yet."""
        return self.stands and bool(self.stretches)

    def why_not_cancel(self) -> Iterator[str]:
        if self.invoiced:
            yield "order_has_invoice"
        elif self.refunds:
            yield "invalid_status_transition"

    def why_not_give_up(self) -> Iterator[str]:
        if self.status == "canceled" or (self.is_open and (self.stretches or self.invoiced)):
            return
        if self.invoiced:
            yield "order_has_invoice"
        else:
            yield from ("invalid_status_transition", "no_appointment_to_give_up")

    @property
    def is_open(self) -> bool:
        return self.status in ("confirmed", "in-progress")

    def why_not_pay(self, amount: int) -> Iterator[str]:
        if self.status == "draft":
            yield "order_is_draft"
        elif self.status == "canceled":
            yield "order_canceled"
        elif not 0 < amount <= self.total - self.paid:
            yield "validation_error"

    def why_not_refund(self, refund: Refund) -> Iterator[str]:
        if self.status == "draft":
            yield "order_is_draft"
            return
        amount = self.worth(refund)
        too_many = refund.units is not None and any(
            units > line.left for units, line in zip(refund.units, self.lines, strict=True)
        )
        homeless = refund.restock and refund.amount is not None
        if too_many or homeless or (refund.cancel and not self.is_upcoming) or not 0 < amount <= self.left:
            yield "validation_error"

    def why_not_invoice(self) -> Iterator[str]:
        if self.invoiced:
            yield "order_has_invoice"
        elif not self.stands:
            yield "validation_error"

    def worth(self, refund: Refund) -> int:
        if refund.amount is not None:
            return refund.amount
        if refund.units is None:
            return self.left
        return sum(line.amount_of(n) for n, line in zip(refund.units, self.lines, strict=True) if n <= line.left)

    def returned_by(self, refund: Refund) -> list[int]:
        if refund.amount is not None:
            return [0 for _ in self.lines]
        if refund.units is not None:
            return refund.units
        covers_lines = sum(line.amount_of(line.left) for line in self.lines) == self.left
        comes_back = covers_lines or refund.restock or refund.cancel
        return [line.left if comes_back else 0 for line in self.lines]

    def refund(self, refund: Refund) -> list[tuple[UUID, int]]:
        """Do it; the units that go back into stock."""
        to_give, units = self.worth(refund), self.returned_by(refund)
        refund.amount = to_give
        for payment in reversed(self.payments):
            share = min(to_give, payment.amount - payment.back)
            if share:
                method = refund.method or payment.method
                refund.by_method[method] = refund.by_method.get(method, 0) + share
            payment.back += share
            to_give -= share
        stocked = self.stands and (refund.restock or refund.cancel)
        self.refunds.append(refund)
        if self.invoiced and self.status != "canceled":
            self.credited.append(refund.amount)
        for line, returned in zip(self.lines, units, strict=True):
            line.returned += returned
        back = [(line.thing, n) for line, n in zip(self.lines, units, strict=True)] if stocked else []
        return back + self.cancel() if refund.cancel else back

    def cancel(self) -> list[tuple[UUID, int]]:
        """The units that go back into stock."""
        held = [(line.thing, line.left) for line in self.lines] if self.stands else []
        self.status = "canceled"
        self.history.append("canceled")
        rest = self.total - sum(self.credited)
        if self.invoiced and rest:
            self.credited.append(rest)
        return held

    def invoice(self) -> None:
        self.invoiced = True
        self.credited = [refund.amount or 0 for refund in self.refunds]


def half_up(amount: Fraction) -> int:
    return int((amount + Fraction(1, 2)) // 1)
