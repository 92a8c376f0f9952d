"""What every part of the tale needs: the dice, the clock, the store, who is busy when, and how people pay."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import ROUND_CEILING, Decimal
from random import Random
from uuid import UUID
from zoneinfo import ZoneInfo

from frontdesk.demo_data.bookings import BookingCalendar, opening_hours
from frontdesk.demo_data.people import STORE_WEEK
from frontdesk.demo_data.sales import Line, Payment, Sale
from frontdesk.demo_data.store import Store
from frontdesk.orders.pricing import Discount, DiscountKind
from frontdesk.values.time import local_day_bounds, to_instant, to_local


@dataclass(slots=True)
class GeneratorContext:
    """Holds what every part of the tale needs: the dice, the clock, the store and who is busy when."""

    rng: Random
    now: datetime
    zone: ZoneInfo
    store: Store
    diary: BookingCalendar = field(default_factory=BookingCalendar)
    sales: list[Sale] = field(default_factory=list)

    @property
    def today(self) -> date:
        return to_local(self.now, self.zone).date()

    def has_even_hours(self, day: date) -> bool:
        """Days on which the clocks change stay empty: the diary counts minutes of the wall clock."""
        start, end = local_day_bounds(day, self.zone)
        return end - start == timedelta(days=1)

    def instant(self, day: date, minute: int) -> datetime:
        return to_instant(datetime.combine(day, time()) + timedelta(minutes=minute), self.zone)

    def ago(self, least: timedelta, most: timedelta) -> datetime:
        return self.now - self.between(least, most)

    def between(self, least: timedelta, most: timedelta) -> timedelta:
        """To the microsecond, so that no two things happen at once."""
        return least + timedelta(microseconds=self.rng.randrange((most - least) // timedelta(microseconds=1)))

    def customer(self, at: datetime) -> UUID:
        return self.rng.choice([shopper for shopper in self.store.shoppers if shopper.since < at]).id

    def counter_moment(self, day: date) -> datetime | None:
        """Some moment of the day while the store was open, or None if it was not or that is still to come."""
        hours = opening_hours(STORE_WEEK, day)
        if not hours:
            return None
        opens, closes = self.rng.choice(hours)
        moment = self.instant(day, opens) + self.between(timedelta(minutes=5), timedelta(minutes=closes - opens))
        return moment if moment < self.now - timedelta(minutes=2) else None


def discount_of(rng: Random, source: str, lines: Sequence[Line]) -> Discount | None:
    """The till gives a discount on the order, an application one on a line."""
    if source == "api" and rng.random() < 0.15:
        lines[0].discount = Decimal("10.00")
    if source != "pos" or rng.random() > 0.3:
        return None
    if rng.random() < 0.5:
        return Discount(DiscountKind.PERCENTAGE, Decimal(10), apply_all=True)
    lines[0].discountable = True
    return Discount(DiscountKind.FIXED, Decimal(20))


def payment_by(rng: Random, at: datetime, method: str, amount: Decimal) -> Payment:
    payment = Payment(at=at, method=method, amount=amount)
    match method:
        case "cash":
            in_notes = (amount / 50).to_integral_value(ROUND_CEILING) * 50
            payment.tendered = rng.choice((amount, in_notes))
        case "card":
            payment.reference = f"{rng.randrange(10**11, 10**12)}"
        case "mizan-pay":
            payment.reference = f"MZ-{rng.randrange(10**7, 10**8)}"
    return payment
