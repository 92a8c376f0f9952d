"""Shared by the generators: random numbers, the time, the store, busy times, discounts and payments."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import ROUND_CEILING, Decimal
from random import Random
from uuid import UUID
from zoneinfo import ZoneInfo

from frontdesk.demo_data.bookings import BookingCalendar, opening_hours
from frontdesk.demo_data.people import STORE_WEEK
from frontdesk.demo_data.sales import DemoLine, Payment, Sale
from frontdesk.demo_data.store import Store
from frontdesk.orders.pricing import Discount, DiscountKind
from frontdesk.values.time import local_day_bounds, to_instant, to_local


@dataclass(slots=True)
class GeneratorContext:
    """The random numbers, the time, the store and the busy times of one sandbox."""

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
        """False on days with a clock change, which stay empty because busy times are counted in local minutes."""
        start, end = local_day_bounds(day, self.zone)
        return end - start == timedelta(days=1)

    def instant(self, day: date, minute: int) -> datetime:
        return to_instant(datetime.combine(day, time()) + timedelta(minutes=minute), self.zone)

    def ago(self, minimum: timedelta, maximum: timedelta) -> datetime:
        return self.now - self.between(minimum, maximum)

    def between(self, minimum: timedelta, maximum: timedelta) -> timedelta:
        """With microseconds, so that no two events have the same time."""
        return minimum + timedelta(microseconds=self.rng.randrange((maximum - minimum) // timedelta(microseconds=1)))

    def customer(self, at: datetime) -> UUID:
        return self.rng.choice([shopper for shopper in self.store.shoppers if shopper.since < at]).id

    def counter_moment(self, day: date) -> datetime | None:
        """A time of the day when the store was open, or None if it was closed or the time is in the future."""
        hours = opening_hours(STORE_WEEK, day)
        if not hours:
            return None
        opens, closes = self.rng.choice(hours)
        moment = self.instant(day, opens) + self.between(timedelta(minutes=5), timedelta(minutes=closes - opens))
        return moment if moment < self.now - timedelta(minutes=2) else None


def discount_of(rng: Random, source: str, lines: Sequence[DemoLine]) -> Discount | None:
    """The till gives discounts on orders, applications on lines."""
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
