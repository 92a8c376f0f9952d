"""Bookings that customers make by themselves: which times they may choose, and the booking itself."""

from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from itertools import islice
from typing import NamedTuple
from uuid import UUID

from frontdesk.availability.check import schedule_of
from frontdesk.availability.free_starts import WHOLE_DAY
from frontdesk.availability.queries import Days
from frontdesk.availability.schedule import FreeStart, Schedule
from frontdesk.availability.slots import Reason
from frontdesk.booking_page.types import BookingRules
from frontdesk.orders.lines import CatalogSnapshot, line_problems, price_order
from frontdesk.orders.pricing import Priced
from frontdesk.orders.problems import BookingProblem, OrderProblem
from frontdesk.orders.queries.order_context import OrderInputs, order_context
from frontdesk.orders.types import LineType, OrderLineRequest, OrderRequest, Source
from frontdesk.postgres.act import Context, FunctionCall
from frontdesk.postgres.query import Query
from frontdesk.problems import Problem, raise_all
from frontdesk.scheduling.book import BookOrders
from frontdesk.scheduling.hold_queries import Holds, with_holds
from frontdesk.values.clock import current_time
from frontdesk.values.tenant_context import TenantContext
from frontdesk.values.time import get_zone, to_local

WEEK = 7  # days that are shown together
_SEARCHED_LATER = 10  # providers without a time in the first week whose first one is searched in the next weeks


class ChosenLine(NamedTuple):
    item_id: UUID
    option_id: UUID | None
    staff_id: UUID | None  # None: anyone


def online_order(
    branch_id: UUID, lines: Sequence[ChosenLine], start: datetime, note: str | None = None
) -> OrderRequest:
    """`start` is a local time."""
    return OrderRequest(
        branch_id=branch_id,
        customer_id=None,
        start=start,
        lines=[
            OrderLineRequest(
                line.item_id,
                LineType.SERVICE,
                1,
                line.staff_id,
                option_ids=(line.option_id,) if line.option_id else (),
            )
            for line in lines
        ],
        note=note,
        payments=[],
        source=Source.ONLINE,
    )


def days_inputs(order: OrderRequest, now: datetime, first: date, days: int) -> Query[OrderInputs]:
    return order_context(order, now, Days.around(first, days))


def earliest_start(rules: BookingRules, now: datetime) -> datetime:
    return now + timedelta(hours=rules.notice_hours)


def bookable_days(tenant: TenantContext, rules: BookingRules, now: datetime) -> tuple[date, date]:
    """The first and the last one."""
    zone = get_zone(tenant.timezone)
    return to_local(now, zone).date(), to_local(now, zone).date() + timedelta(days=rules.horizon_days)


class OpenStart(NamedTuple):
    """A start that customers may choose, and what the booking costs then: providers have their own prices."""

    local: datetime
    free: FreeStart
    priced: Priced

    @property
    def total(self) -> Decimal:
        return self.priced.total


class OpenDay(NamedTuple):
    day: date
    start_count: int  # that customers may choose
    why: Reason | None  # why there are none


class FirstStart(NamedTuple):
    local: datetime | None  # None: none in the days that were searched
    is_away: bool  # in the first week, on all days on which they would work


class Prices:
    """The price of an order by who performs it. Most providers cost the same, and there are many starts."""

    def __init__(self, tenant: TenantContext, order: OrderRequest, catalog: CatalogSnapshot, now: datetime) -> None:
        self._tenant, self._order, self._catalog, self._now = tenant, order, catalog, now
        self._orders: dict[tuple[Decimal | None, ...], Priced] = {}
        self._lines: dict[tuple[int, Decimal | None], Decimal] = {}

    def __call__(self, staff: Sequence[UUID | None]) -> Priced:
        prices = tuple(self._staff_price(index, staff_id) for index, staff_id in enumerate(staff))
        if prices not in self._orders:
            self._orders[prices] = self._price(self._order, staff)
        return self._orders[prices]

    def line(self, index: int, staff_id: UUID) -> Decimal:
        """What one service costs. There are no discounts, so the services add up to the total."""
        price = self._staff_price(index, staff_id)
        if (index, price) not in self._lines:
            alone = self._order._replace(lines=[self._order.lines[index]])
            self._lines[index, price] = self._price(alone, [staff_id]).total
        return self._lines[index, price]

    def _staff_price(self, index: int, staff_id: UUID | None) -> Decimal | None:
        """All that the price depends on: the provider's own one, None if they charge that of the catalog."""
        performer = self._catalog.performer(self._order.lines[index].item_id, staff_id) if staff_id else None
        return performer.price if performer else None

    def _price(self, order: OrderRequest, staff: Sequence[UUID | None]) -> Priced:
        return price_order(self._tenant, order, list(staff), self._catalog, self._now)


class OpenTimes:
    """The starts of some days that customers may choose. The rules of the business and holds of others apply."""

    def __init__(
        self,
        tenant: TenantContext,
        order: OrderRequest,
        inputs: OrderInputs,
        holds: Holds,
        rules: BookingRules,
        now: datetime,
    ) -> None:
        catalog = CatalogSnapshot(inputs.context, order)
        raise_all(line_problems(order, catalog))
        self._tenant = tenant
        self._zone = get_zone(tenant.timezone)
        self._services = [catalog.service_to_schedule(line, cheapest=True) for line in order.lines]
        self._schedules = with_holds(inputs.schedules, holds)
        self._earliest = earliest_start(rules, now)
        self._last = bookable_days(tenant, rules, now)[1]
        self._by_day: dict[date, Schedule] = {}
        self._weeks: dict[date, Schedule] = {}
        self.prices = Prices(tenant, order, catalog, now)

    def open_days(self, first: date, count: int = WEEK) -> list[OpenDay]:
        days = [first + timedelta(days=offset) for offset in range(count)]
        schedule = self._weeks[first] = self._schedule(first, count)
        self._by_day.update(dict.fromkeys(days, schedule))
        counted = zip(days, schedule.count_starts(), strict=True)
        return [self._open_day(schedule, day, count if day <= self._last else 0) for day, count in counted]

    def _open_day(self, schedule: Schedule, day: date, count: int) -> OpenDay:
        if count:
            return OpenDay(day, count, None)
        return OpenDay(day, 0, "outside_working_hours" if day > self._last else schedule.why_none_on(day))

    def first_start(self, first: date) -> datetime | None:
        """Of all providers together, in the week that was searched."""
        return self._bookable(self._weeks[first].first_start())

    def first_starts(self, first: date, days: int) -> dict[UUID, FirstStart]:
        """Of those who perform all services, from a week on that was looked at.

        Who has no time in it is searched in the other days too. Of many such people only the first ones are: the others
        are left out, because a stranger can ask for them again and again.
        """
        week = self._weeks[first]
        found = {
            id_: FirstStart(self._bookable(start), week.is_away(id_)) for id_, start in week.first_starts().items()
        }
        none = [staff_id for staff_id, start in found.items() if start.local is None]
        later = self._first_starts_of(none[:_SEARCHED_LATER], first + timedelta(days=WEEK), days - WEEK)
        for staff_id in none:
            is_away = found.pop(staff_id).is_away
            if staff_id in later:
                found[staff_id] = FirstStart(self._bookable(later[staff_id]), is_away)
        return found

    def _first_starts_of(self, staff: Sequence[UUID], first: date, days: int) -> dict[UUID, datetime | None]:
        if not staff or days <= 0:
            return {}
        services = [
            service._replace(candidates={id_: minutes for id_, minutes in service.candidates.items() if id_ in staff})
            for service in self._services
        ]
        return schedule_of(self._tenant, services, self._schedules, first, self._earliest, days=days).first_starts()

    def _bookable(self, start: datetime | None) -> datetime | None:
        return start if start is not None and start.date() <= self._last else None

    def starts(self, day: date, between: tuple[int, int] = WHOLE_DAY) -> Iterator[OpenStart]:
        if day > self._last:
            return
        schedule = self._by_day.get(day) or self._schedule(day, 1)
        yield from map(self._open_start, schedule.free_starts(between, day))

    def first_of_days(self, first: date, count: int, number: int) -> list[OpenStart]:
        """The first start of each of the next days that have one, so many of them."""
        free = (day.day for day in self.open_days(first, count) if day.start_count)
        return [next(self.starts(day)) for day in islice(free, number)]

    def at(self, local: datetime) -> OpenStart | None:
        """The start at a local time without an offset."""
        minute = local.hour * 60 + local.minute
        found = self.starts(local.date(), (minute, minute + 1))
        return next((start for start in found if start.local.replace(tzinfo=None) == local), None)

    def nearest(self, local: datetime, first: date, number: int) -> list[OpenStart]:
        """The starts of a week that are nearest to a local time, in order."""
        schedule = self._schedule(first, min(WEEK, (self._last - first).days + 1))
        return [self._open_start(free) for free in schedule.nearest_starts(local.replace(tzinfo=self._zone), number)]

    def _open_start(self, free: FreeStart) -> OpenStart:
        local = to_local(free.assigned[0].start, self._zone)
        return OpenStart(local, free, self.prices([assignment.staff_id for assignment in free.assigned]))

    def _schedule(self, first: date, days: int) -> Schedule:
        return schedule_of(self._tenant, self._services, self._schedules, first, self._earliest, days=days)


class BookOnline(BookOrders, frozen=True, kw_only=True):
    """Raises `timeslot_unavailable` for every time that customers may not choose."""

    rules: BookingRules
    holds: Holds
    is_customer_blocked: bool

    def decide(self, context: Context[OrderInputs]) -> FunctionCall:
        _check_rules(context.tenant, self.rules, self.booking.order)
        schedules = with_holds(context.loaded.schedules, self.holds)
        call = BookOrders.decide(self, context._replace(loaded=context.loaded._replace(schedules=schedules)))
        if self.is_customer_blocked:  # checked last: every other problem is that of a customer who is not blocked
            raise Problem(OrderProblem.CUSTOMER_BLOCKED, "customer_id")
        return call._replace(stored=str(self.order_id).encode())


def _check_rules(tenant: TenantContext, rules: BookingRules, order: OrderRequest) -> None:
    now = current_time()
    if order.start is None:
        raise AssertionError("a booking has a start")
    instant = tenant.to_utc(order.start, "start")
    local = to_local(instant, get_zone(tenant.timezone))
    if instant < earliest_start(rules, now) or local.date() > bookable_days(tenant, rules, now)[1]:
        raise Problem(BookingProblem.NOT_BOOKABLE)


def start_of(day: date, clock: str) -> datetime:
    return datetime.combine(day, time.fromisoformat(clock))
