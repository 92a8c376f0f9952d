"""Bookings that customers make by themselves: which times they may choose, and the booking itself."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

from frontdesk.availability.check import FreeStart, schedule_of
from frontdesk.availability.free_starts import WHOLE_DAY, why_none
from frontdesk.availability.queries import Days
from frontdesk.availability.slots import Reason
from frontdesk.booking_page.types import BookingRules
from frontdesk.errors import Code, WireError, invalid
from frontdesk.orders.book import BookingRequest, plan_booking
from frontdesk.orders.lines import CatalogSnapshot, line_errors, price_lines
from frontdesk.orders.pricing import Priced
from frontdesk.orders.queries.holds import Holds, with_holds
from frontdesk.orders.queries.order_context import SeenOrder, order_context
from frontdesk.orders.types import LineType, OrderLineRequest, OrderRequest, Source
from frontdesk.postgres.query import Query
from frontdesk.postgres.write import Call
from frontdesk.tenants.types import TenantContext
from frontdesk.values.time import get_zone, to_local

WEEK = 7  # days that are shown together


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


def look_at_days(order: OrderRequest, now: datetime, first: date, days: int) -> Query[SeenOrder]:
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
    many: int  # starts that customers may choose
    why: Reason | None  # why there are none


class Prices:
    """The price of an order by who performs it. There are few combinations, and many starts."""

    def __init__(self, tenant: TenantContext, order: OrderRequest, catalog: CatalogSnapshot, now: datetime) -> None:
        self._tenant, self._order, self._catalog, self._now = tenant, order, catalog, now
        self._found: dict[tuple[UUID | None, ...], Priced] = {}

    def __call__(self, staff: tuple[UUID | None, ...]) -> Priced:
        if staff not in self._found:
            self._found[staff] = price_lines(self._tenant, self._order, list(staff), self._catalog, self._now)
        return self._found[staff]


class OpenTimes:
    """The starts of some days that customers may choose. The rules of the business and holds of others apply."""

    def __init__(
        self,
        tenant: TenantContext,
        order: OrderRequest,
        seen: SeenOrder,
        holds: Holds,
        rules: BookingRules,
        now: datetime,
    ) -> None:
        catalog = CatalogSnapshot(seen.context, order)
        errors = line_errors(order, catalog)
        if errors:
            raise invalid(errors)
        self._tenant = tenant
        self._zone = get_zone(tenant.timezone)
        self._services = [catalog.service_to_schedule(line, cheapest=True) for line in order.lines]
        self._schedules = with_holds(seen.schedules, holds)
        self._earliest = earliest_start(rules, now)
        self._last = bookable_days(tenant, rules, now)[1]
        self.prices = Prices(tenant, order, catalog, now)

    def week(self, first: date) -> list[OpenDay]:
        services = [service._replace(prices=None) for service in self._services]  # the same starts, found sooner
        schedule = schedule_of(self._tenant, services, self._schedules, first, self._earliest, days=WEEK)
        days = [first + timedelta(days=n) for n in range(WEEK)]
        counted = [many if day <= self._last else 0 for day, many in zip(days, schedule.count_starts(), strict=True)]
        return [OpenDay(day, many, None if many else self._why(day)) for day, many in zip(days, counted, strict=True)]

    def starts(self, first: date, days: int = 1) -> Iterator[OpenStart]:
        schedule = schedule_of(self._tenant, self._services, self._schedules, first, self._earliest, days=days)
        for free in schedule.free_starts(WHOLE_DAY):
            local = to_local(free.assigned[0].start, self._zone)
            if local.date() <= self._last:
                yield OpenStart(local, free, self.prices(_staff(free)))

    def at(self, local: datetime) -> OpenStart | None:
        """The start at a local time without an offset."""
        return next((each for each in self.starts(local.date()) if each.local.replace(tzinfo=None) == local), None)

    def _why(self, day: date) -> Reason:
        if day > self._last:
            return "outside_working_hours"
        return why_none(self._tenant, self._services[0], self._schedules, day, self._earliest)


def _staff(free: FreeStart) -> tuple[UUID | None, ...]:
    return tuple(each.staff_id for each in free.assigned)


def nearest(starts: Iterable[OpenStart], around: datetime, number: int) -> list[OpenStart]:
    """The starts nearest to a local time, in order."""
    around = around.replace(tzinfo=None)
    chosen = sorted(starts, key=lambda each: abs(each.local.replace(tzinfo=None) - around))[:number]
    return sorted(chosen, key=lambda each: each.local)


def plan_online_booking(
    tenant: TenantContext, rules: BookingRules, booking: BookingRequest, holds: Holds, order_id: UUID
) -> Callable[[SeenOrder], Call]:
    """Decides from what was read; raises `timeslot_unavailable` for every time that customers may not choose."""

    def decide(seen: SeenOrder) -> Call:
        _check_rules(tenant, rules, booking.order)
        seen = seen._replace(schedules=with_holds(seen.schedules, holds))
        return plan_booking(tenant, booking, seen, order_id)

    return decide


def _check_rules(tenant: TenantContext, rules: BookingRules, order: OrderRequest) -> None:
    now = datetime.now(UTC)
    if order.start is None:
        raise AssertionError("a booking has a start")
    instant = tenant.to_utc(order.start, "start")
    local = to_local(instant, get_zone(tenant.timezone))
    if instant < earliest_start(rules, now) or local.date() > bookable_days(tenant, rules, now)[1]:
        raise WireError(Code.TIMESLOT_UNAVAILABLE, "The requested time cannot be booked.", details={"reason": "past"})


def start_of(day: date, clock: str) -> datetime:
    return datetime.combine(day, time.fromisoformat(clock))
