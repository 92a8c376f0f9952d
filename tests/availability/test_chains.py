"""Services that follow one another, against a search that tries everybody at every minute."""

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

import pytest
from hypothesis import given, settings, strategies as st

from frontdesk.availability import chains
from frontdesk.availability.check import schedule_of
from frontdesk.availability.find_slots import calendar_of
from frontdesk.availability.free_starts import WHOLE_DAY
from frontdesk.availability.hours import Hours, Interval, Weekday
from frontdesk.availability.schedule import Schedule
from frontdesk.availability.slots import Calendar, free_starts
from frontdesk.availability.types import BusyMinutes, ServiceToSchedule, StaffSchedule
from frontdesk.availability.window import Window, window_of
from frontdesk.values.ids import uuid7
from frontdesk.values.tenant_context import TenantContext
from frontdesk.values.time import get_zone, to_local
from tests.support.repetitions import repetitions

FIRST = date(2026, 3, 28)  # the clocks of Berlin change on the next day
NOW = datetime(2026, 3, 28, 9, tzinfo=UTC)
PEOPLE = [UUID(int=number) for number in range(1, 6)]
WEEK: tuple[Weekday, ...] = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
ORIGIN = datetime(1970, 1, 1, tzinfo=UTC)


def instant(minute: int) -> datetime:
    return ORIGIN + timedelta(minutes=minute)


class Case(NamedTuple):
    tenant: TenantContext
    services: list[ServiceToSchedule]
    schedules: dict[UUID, StaffSchedule]
    days: int

    @property
    def schedule(self) -> Schedule:
        return schedule_of(self.tenant, self.services, self.schedules, FIRST, NOW, days=self.days)


def week_of(opens: int, closes: int) -> Hours:
    return Hours(tuple(Interval(day, opens, closes) for day in WEEK))


def busy_at(*minutes: tuple[int, int]) -> BusyMinutes:
    """On three days; from a minute of the day in UTC for so long."""
    mask = 0
    for start, length in minutes:
        mask |= ((1 << length) - 1) << start
    days = b"".join(number.to_bytes(2, "big") for number in (2, 1, 0))
    return BusyMinutes(date(2026, 3, 28), days, (mask & (1 << 1440) - 1).to_bytes(180, "big") * 3)


def person(staff_id: UUID, hours: Hours, busy: BusyMinutes) -> StaffSchedule:
    return StaffSchedule(staff_id, None, hours, True, (), frozenset(), [], busy)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    tenant = TenantContext(
        uuid7(),
        draw(st.sampled_from(["Europe/Berlin", "Asia/Riyadh"])),
        "SAR",
        2,
        ("en",),
        draw(st.sampled_from([5, 20])),
    )
    weeks = [week_of(*draw(st.sampled_from([(540, 1020), (600, 780), (1320, 240), (0, 0)]))) for _ in range(2)]
    times = st.lists(st.tuples(st.integers(0, 1300), st.sampled_from([15, 50, 90])), max_size=5)
    busy = [busy_at(*draw(times)) for _ in range(2)]  # some share a calendar
    schedules = {
        staff_id: person(staff_id, draw(st.sampled_from(weeks)), draw(st.sampled_from(busy))) for staff_id in PEOPLE
    }
    services = []
    for _ in range(draw(st.integers(1, 4))):
        minutes = draw(st.dictionaries(st.sampled_from(PEOPLE), st.sampled_from([10, 25, 45, 90, 1500]), min_size=1))
        prices = {one: Decimal(draw(st.sampled_from([10, 11, 25]))) for one in minutes} if draw(st.booleans()) else None
        services.append(
            ServiceToSchedule(minutes, draw(st.sampled_from([0, 10])), draw(st.sampled_from([0, 15])), prices)
        )
    return Case(tenant, services, schedules, draw(st.sampled_from([1, 2])))


class Trial:
    """Tries every candidate at every minute, in the order of price, load and id, and compares what all ways cost."""

    def __init__(self, case: Case) -> None:
        self.services, self.zone = case.services, get_zone(case.tenant.timezone)
        self.has_prices = any(service.prices for service in case.services)
        self.window: Window = window_of(self.zone, FIRST, case.days, 4 * 1500)
        calendars = {
            one: calendar_of(each, self.window, case.tenant.grid_minutes) for one, each in case.schedules.items()
        }
        self.origin = (self.window.origin - ORIGIN) // timedelta(minutes=1)
        minutes = range(self.origin, self.origin + self.window.size)
        self.days = {minute: to_local(instant(minute), self.zone).date() for minute in minutes}
        self.grid = {one: self._minutes(each.grid) for one, each in calendars.items()}
        self.opened = {one: self._minutes(each.opened) for one, each in calendars.items()}
        self.booked = {one: self._minutes(each.booked) for one, each in calendars.items()}
        self.loads = {one: Counter(self.days[minute] for minute in booked) for one, booked in self.booked.items()}
        self.ways: dict[tuple[int, int], list[tuple[UUID, int]] | None] = {}

    def _minutes(self, mask: int) -> frozenset[int]:
        """Counted from 1970."""
        return frozenset(self.origin + bit for bit, text in enumerate(f"{mask:b}"[::-1]) if text == "1")

    def fits(self, index: int, staff_id: UUID, start: int, minutes: int) -> bool:
        service, needed = self.services[index], range(start, start + minutes)
        buffered = range(start - service.buffer_before, start + minutes + service.buffer_after)
        if index == 0 and (start not in self.grid[staff_id] or instant(start) <= NOW):
            return False
        return self.opened[staff_id].issuperset(needed) and self.booked[staff_id].isdisjoint(buffered)

    def way(self, index: int, start: int) -> list[tuple[UUID, int]] | None:
        """Who performs each service, and from when."""
        if index == len(self.services):
            return []
        if (index, start) not in self.ways:
            found = self._all_ways(index, start)
            is_ordered = not self.has_prices or index == len(self.services) - 1
            self.ways[index, start] = (
                next(found, None) if is_ordered else min(found, key=lambda way: self._cost(index, way), default=None)
            )
        return self.ways[index, start]

    def _all_ways(self, index: int, start: int) -> Iterator[list[tuple[UUID, int]]]:
        day, prices = self.days[start], self.services[index].prices or {}
        order = sorted(
            (prices.get(staff_id, Decimal(0)), self.loads[staff_id][day], staff_id, minutes)
            for staff_id, minutes in self.services[index].candidates.items()
        )
        for _, _, staff_id, minutes in order:
            if self.fits(index, staff_id, start, minutes):
                rest = self.way(index + 1, start + minutes)
                if rest is not None:
                    yield [(staff_id, start), *rest]

    def _cost(self, index: int, way: list[tuple[UUID, int]]) -> Decimal:
        priced = zip(self.services[index:], way, strict=True)
        return sum((service.prices[staff_id] for service, (staff_id, _) in priced if service.prices), Decimal(0))

    def starts(self) -> dict[datetime, list[tuple[UUID, int]]]:
        """By the instant: of an hour that occurs twice the first one."""
        found: dict[datetime, list[tuple[UUID, int]]] = {}
        shown: set[datetime] = set()
        for minute in sorted(frozenset().union(*self.grid.values())):
            at = instant(minute)
            local = to_local(at, self.zone).replace(tzinfo=None)
            way = self.way(0, minute) if local not in shown else None
            shown.add(local)
            if way is not None:
                found[at] = way
        return found


@settings(max_examples=repetitions(25, long=2000), deadline=None)
@given(cases())
def test_chained_services_are_offered_as_an_exhaustive_search_finds(case: Case) -> None:
    expected = Trial(case).starts()
    schedule = case.schedule
    offered = {
        free.assigned[0].start: [(one.staff_id, (one.start - ORIGIN) // timedelta(minutes=1)) for one in free.assigned]
        for free in schedule.free_starts(WHOLE_DAY)
    }
    assert offered == expected
    assert sum(schedule.count_starts()) == len(expected)
    zone = get_zone(case.tenant.timezone)
    days = [to_local(at, zone).date() for at in expected]
    assert schedule.count_starts() == [days.count(FIRST + timedelta(days=number)) for number in range(case.days)]
    noon = datetime(2026, 3, 28, 12, tzinfo=UTC)
    nearest = sorted(sorted(expected, key=lambda at: (abs(at - noon), at))[:3])
    assert [each.start for each in schedule.alternatives(noon)] == [to_local(at, zone) for at in nearest]


def test_a_chain_search_out_of_steps_offers_the_same_bookable_starts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The end of the steps decides who is chosen, and so what it costs. No start is lost, and none is in vain."""
    quick, slow, dear, cheap, _ = PEOPLE
    schedules = {one: person(one, week_of(540, 1020), busy_at()) for one in (quick, slow, dear)}
    schedules[cheap] = person(cheap, week_of(600, 1020), busy_at())  # from ten on
    first = ServiceToSchedule({quick: 30, slow: 60}, prices={quick: Decimal(10), slow: Decimal(12)})
    second = ServiceToSchedule({dear: 30, cheap: 30}, prices={dear: Decimal(100), cheap: Decimal(20)})
    tenant = TenantContext(uuid7(), "Asia/Riyadh", "SAR", 2, ("en",), 15)
    case = Case(tenant, [first, second], schedules, 2)
    searched = list(case.schedule.free_starts(WHOLE_DAY))
    monkeypatch.setattr(chains, "STEPS_OF_DAY", 0)
    monkeypatch.setattr(chains, "MIN_STEPS", 2)
    shown = list(case.schedule.free_starts(WHOLE_DAY))
    nine = next(n for n, each in enumerate(shown) if each.assigned[0].start == datetime(2026, 3, 29, 6, tzinfo=UTC))
    assert [one.staff_id for one in searched[nine].assigned] == [slow, cheap]
    assert [one.staff_id for one in shown[nine].assigned] == [quick, dear]
    assert [each.assigned[0].start for each in shown] == [each.assigned[0].start for each in searched]
    booked = [case.schedule.assign(each.assigned[0].start) or [] for each in shown]
    assert [[one._replace(chosen=None) for one in each] for each in booked] == [each.assigned for each in shown]


def test_providers_with_equal_calendars_share_their_masks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred providers with the same hours and no bookings cost as much as one of them."""
    people = [UUID(int=number) for number in range(1, 101)]
    schedules = {one: person(one, week_of(540, 1020), busy_at()) for one in people}
    services = [ServiceToSchedule(dict.fromkeys(people, 30), 5, 5) for _ in range(5)]
    tenant = TenantContext(uuid7(), "Asia/Riyadh", "SAR", 2, ("en",), 15)
    masks: list[Calendar] = []

    def counted(calendar: Calendar, minutes: int) -> int:
        masks.append(calendar)
        return free_starts(calendar, minutes)

    monkeypatch.setattr(chains, "free_starts", counted)
    assert sum(Case(tenant, services, schedules, 7).schedule.count_starts()) > 100
    assert len(masks) == len(services) - 1
