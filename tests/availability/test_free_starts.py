"""The free starts of services in sequence: each of them is accepted by the check of an order, and no other is."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from uuid import UUID

from hypothesis import given, settings, strategies as st

from frontdesk.availability.check import schedule_of
from frontdesk.availability.free_starts import free_starts, why_none
from frontdesk.availability.hours import Hours, Interval, weekday_of
from frontdesk.availability.types import BusyMinutes, ServiceToSchedule, StaffSchedule
from frontdesk.values.ids import uuid7
from frontdesk.values.tenant_context import TenantContext
from frontdesk.values.time import get_zone, to_local
from tests.support.repetitions import repetitions

DAY = date(2026, 3, 29)  # the clocks of Berlin change
NOW = datetime(2026, 3, 28, 12, tzinfo=UTC)
PEOPLE = [UUID(int=number) for number in range(1, 5)]


def schedule(staff_id: UUID, opens: int, closes: int, off: list[tuple[int, int]]) -> StaffSchedule:
    """Works on three days; `off` are minutes from the first midnight in UTC."""
    hours = tuple(Interval(weekday_of(DAY + timedelta(days=n)), opens, closes) for n in (-1, 0, 1))
    midnight = datetime(2026, 3, 28, 23, tzinfo=UTC)
    times = [(midnight + timedelta(minutes=at), midnight + timedelta(minutes=at + count)) for at, count in off]
    return StaffSchedule(
        staff_id, None, Hours(hours), True, (), frozenset(), times, BusyMinutes(date(2026, 3, 27), b"", b"")
    )


@st.composite
def cases(draw: st.DrawFn) -> tuple[TenantContext, list[ServiceToSchedule], dict[UUID, StaffSchedule]]:
    zone = draw(st.sampled_from(["Europe/Berlin", "Asia/Riyadh"]))
    tenant = TenantContext(uuid7(), zone, "SAR", 2, ("en",), draw(st.sampled_from([15, 20, 60])))
    minutes = st.integers(0, 287).map(lambda fives: 5 * fives)
    schedules = {
        staff_id: schedule(
            staff_id, draw(minutes), draw(minutes), draw(st.lists(st.tuples(minutes, st.integers(1, 200)), max_size=3))
        )
        for staff_id in PEOPLE
    }
    services = [
        ServiceToSchedule(
            draw(st.dictionaries(st.sampled_from(PEOPLE), st.sampled_from([10, 25, 45, 90, 150]), min_size=1)),
            draw(st.sampled_from([0, 10])),
            draw(st.sampled_from([0, 15])),
        )
        for _ in range(draw(st.integers(1, 4)))
    ]
    return tenant, services, schedules


@settings(max_examples=repetitions(40, long=2000), deadline=None)
@given(cases())
def test_exactly_the_shown_starts_are_accepted(
    case: tuple[TenantContext, list[ServiceToSchedule], dict[UUID, StaffSchedule]],
) -> None:
    tenant, services, schedules = case
    zone = get_zone(tenant.timezone)
    shown = {free.assigned[0].start: free for free in free_starts(tenant, services, schedules, DAY, NOW)}
    checked = schedule_of(tenant, services, schedules, DAY, NOW, days=1)  # as `assign_staff` does
    seen = 0
    at = datetime(2026, 3, 28, 20, tzinfo=UTC)
    while at < datetime(2026, 3, 30, 2, tzinfo=UTC):
        if to_local(at, zone).date() == DAY:
            assigned = checked.assign(at)
            assert (at in shown) == (assigned is not None)
            if assigned is not None:
                seen += 1
                assert shown[at].assigned == [one._replace(chosen=None) for one in assigned]
                assert shown[at].free_until >= assigned[-1].end
        at += timedelta(minutes=5)
    assert seen == len(shown)


def test_if_prices_matter_the_cheapest_way_through_all_services_is_assigned() -> None:
    """A dearer first provider can make place for a much cheaper second one."""
    tenant = TenantContext(uuid7(), "Asia/Riyadh", "SAR", 2, ("en",), 15)
    quick, slow, dear, cheap = PEOPLE
    schedules = {one: schedule(one, 540, 1020, []) for one in (quick, slow, dear)}
    schedules[cheap] = schedule(cheap, 600, 1020, [])  # from ten on
    first = ServiceToSchedule({quick: 30, slow: 60}, prices={quick: Decimal(10), slow: Decimal(12)})
    second = ServiceToSchedule({dear: 30, cheap: 30}, prices={dear: Decimal(100), cheap: Decimal(20)})
    found = {
        f"{to_local(free.assigned[0].start, get_zone('Asia/Riyadh')):%H:%M}": [one.staff_id for one in free.assigned]
        for free in free_starts(tenant, [first, second], schedules, DAY, NOW)
    }
    assert found["09:00"] == [slow, cheap]
    assert found["09:30"] == [quick, cheap]
    plain = [service._replace(prices=None) for service in (first, second)]
    assert [one.staff_id for one in next(free_starts(tenant, plain, schedules, DAY, NOW)).assigned] == [quick, dear]


def test_free_starts_after_working_hours_have_the_reason_past() -> None:
    """It is not "all booked", although hours without work are left of it."""
    tenant = TenantContext(uuid7(), "Asia/Riyadh", "SAR", 2, ("en",), 15)
    schedules = {PEOPLE[0]: schedule(PEOPLE[0], 9 * 60, 17 * 60, [])}
    service = ServiceToSchedule({PEOPLE[0]: 30})
    reasons = {
        hour: why_none(tenant, service, schedules, DAY, datetime(2026, 3, 29, hour, tzinfo=UTC)) for hour in (11, 15)
    }
    assert reasons == {11: "booked", 15: "past"}
