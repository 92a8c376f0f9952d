"""A generated sale, before it gets a number and is converted to rows."""

from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

from frontdesk.demo_data.content import DECIMALS, TAX_RATE
from frontdesk.demo_data.store import Variant
from frontdesk.orders.pricing import Discount, LineToPrice, Priced, PricedLine, compute_totals, refund_amounts
from frontdesk.orders.tax import included_tax
from frontdesk.values.ids import uuid7, uuid7_at
from frontdesk.values.money import exact_sum


def id_of(moment: datetime) -> UUID:
    """Lists sorted by id must show old records as old."""
    return uuid7_at(int(moment.timestamp() * 1000))


class Change(NamedTuple):
    at: datetime
    status: str
    note: str | None = None


@dataclass(slots=True, kw_only=True)
class Payment:
    at: datetime
    method: str
    amount: Decimal
    status: str = "confirmed"
    tendered: Decimal | None = None
    reference: str | None = None
    note: str | None = None
    id: UUID = field(init=False)

    def __post_init__(self) -> None:
        self.id = id_of(self.at)


@dataclass(slots=True, kw_only=True)
class DemoLine:
    variant: Variant
    quantity: int = 1
    discount: Decimal = Decimal(0)
    discountable: bool = False
    staff_id: UUID | None = None
    during: tuple[datetime, datetime] | None = None
    id: UUID = field(default_factory=uuid7)

    @property
    def minutes(self) -> int | None:
        """Duration of the whole line."""
        duration = self.variant.duration
        return None if duration is None else duration * self.quantity


@dataclass(slots=True, kw_only=True)
class Sale:
    created_at: datetime
    source: str
    customer_id: UUID | None
    lines: list[DemoLine]
    changes: list[Change]
    discount: Discount | None = None
    note: str | None = None
    series_id: UUID | None = None
    payments: list[Payment] = field(default_factory=list)
    id: UUID = field(init=False)
    priced: Priced = field(init=False)

    def __post_init__(self) -> None:
        self.id = id_of(self.created_at)
        lines = [
            LineToPrice(line.variant.price, line.quantity, line.discount, line.discountable, TAX_RATE)
            for line in self.lines
        ]
        self.priced = compute_totals(lines, self.discount, DECIMALS)

    @property
    def status(self) -> str:
        return self.changes[-1].status

    @property
    def starts_at(self) -> datetime | None:
        return min((line.during[0] for line in self.lines if line.during), default=None)

    @property
    def paid(self) -> Decimal:
        return exact_sum(payment.amount for payment in self.payments if payment.status == "confirmed")

    @property
    def remaining(self) -> Decimal:
        return self.priced.total - self.paid

    @property
    def touched_at(self) -> datetime:
        return max([*(change.at for change in self.changes), *(payment.at for payment in self.payments)])

    def is_deposit(self, payment: Payment) -> bool:
        """Paid before the first appointment, with an amount left to pay."""
        if self.starts_at is None or payment.at >= self.starts_at:
            return False
        earlier = [p.amount for p in self.payments if p.status == "confirmed" and p.at < payment.at]
        return exact_sum([*earlier, payment.amount]) < self.priced.total


@dataclass(slots=True, kw_only=True)
class Refund:
    """Some units of one line of a sale with a single payment."""

    created_at: datetime
    sale: Sale
    position: int
    quantity: int
    reason: str
    id: UUID = field(init=False)
    amounts: PricedLine = field(init=False)

    def __post_init__(self) -> None:
        self.id = id_of(self.created_at)
        sold = self.sale.priced.lines[self.position]
        amounts = refund_amounts(sold, already_refunded=0, quantity=self.quantity, decimals=DECIMALS)
        tax = included_tax(amounts.net_amount, sold.tax_rate, DECIMALS)
        self.amounts = amounts._replace(tax_rate=sold.tax_rate, tax_amount=tax)
