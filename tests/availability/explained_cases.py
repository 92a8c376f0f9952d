"""Random days of some providers, with what takes their time: for the search of starts and for its explanation."""

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from hypothesis import strategies as st

from frontdesk.availability.explain import BookingLimits
from frontdesk.availability.explained_facts import NamedMember, Occupied, OccupiedBy, StartFacts
from frontdesk.availability.hours import DayHours, Hours, Interval
from frontdesk.availability.types import BusyMinutes, ServiceToSchedule, StaffSchedule
from frontdesk.values.ids import uuid7
from frontdesk.values.tenant_context import TenantContext

ZONES = {
    "Asia/Riyadh": date(2026, 3, 29),
    "Europe/Berlin": date(2026, 3, 29),  # 02:00 to 03:00 is skipped
    "America/New_York": date(2026, 11, 1),  # 01:00 to 02:00 occurs twice
    "Africa/Cairo": date(2026, 4, 24),  # the day begins at 01:00
}
PEOPLE = [UUID(int=number) for number in range(1, 5)]
BRANCH = UUID(int=99)
_WEEK = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
Range = tuple[datetime, datetime]


class ExplainedCase(NamedTuple):
    tenant: TenantContext
    day: date
    services: list[ServiceToSchedule]
    schedules: dict[UUID, StaffSchedule]
    now: datetime
    limits: BookingLimits | None
    facts: StartFacts


def busy_minutes(first: date, ranges: Iterable[Range]) -> BusyMinutes:
    """As the database stores them: of each UTC day the minutes as bits, the latest first."""
    origin, mask = datetime.combine(first, datetime.min.time(), UTC), 0
    for start, end in ranges:
        begins, ends = (int((moment - origin).total_seconds()) // 60 for moment in (start, end))
        mask |= ((1 << (ends - begins)) - 1) << begins
    days = [n for n in range(9) if mask >> 1440 * n & ((1 << 1440) - 1)][::-1]
    parts = [(mask >> 1440 * n & ((1 << 1440) - 1)).to_bytes(180, "big") for n in days]
    return BusyMinutes(first, b"".join(n.to_bytes(2, "big") for n in days), b"".join(parts))


@st.composite
def ranges(draw: st.DrawFn, day: date, most: int) -> list[Range]:
    """Of whole minutes, around the day, in order and apart."""
    midnight = datetime.combine(day, datetime.min.time(), UTC) - timedelta(hours=6)
    begins = sorted(draw(st.lists(st.integers(0, 36), max_size=most, unique=True)))
    return [
        (
            midnight + timedelta(minutes=60 * at),
            midnight + timedelta(minutes=60 * at + draw(st.sampled_from([5, 25, 60]))),
        )
        for at in begins
    ]


@st.composite
def week(draw: st.DrawFn) -> Hours:
    """Most days are open for long, so that most cases have starts that are offered."""
    opens, closes = st.sampled_from([0, 120, 150, 540, 600, 785]), st.sampled_from([120, 1020, 1320, 1380])
    days = draw(st.sampled_from([_WEEK, _WEEK, _WEEK, ("mon", "tue", "sun")]))
    intervals = [Interval(name, draw(opens), draw(closes), draw(st.integers(0, 9)) > 0) for name in days]  # type: ignore[arg-type]
    return Hours(tuple(sorted(intervals)), all_time=draw(st.integers(0, 5)) == 0, active=draw(st.integers(0, 14)) > 0)


@st.composite
def schedules(draw: st.DrawFn, staff_id: UUID, day: date, closed: frozenset[date]) -> tuple[StaffSchedule, StartFacts]:
    taken: dict[OccupiedBy, list[Range]] = {
        "time_off": draw(ranges(day, 1)),
        "external": draw(ranges(day, 1)),
        "booking": draw(ranges(day, 3)),
        "hold": draw(ranges(day, 1)),
    }
    special = [
        DayHours(day + timedelta(days=n), tuple(zip(edges[::2], edges[1::2], strict=False)), draw(st.booleans()))
        for n in draw(st.sampled_from([[], [], [], [-1], [0], [1]]))
        for edges in [sorted(draw(st.lists(st.integers(0, 95).map(lambda n: 15 * n), max_size=4, unique=True)))]
    ]
    schedule = StaffSchedule(
        staff_id,
        None,
        draw(week()),
        draw(st.booleans()),
        tuple(special),
        closed,
        taken["time_off"],
        busy_minutes(day - timedelta(days=3), taken["booking"]),
        taken["external"],
        held=taken["hold"],
    )
    # What is known of it may be incomplete: something was read a moment later.
    known = [
        Occupied(staff_id, by, start, end, start, end)
        for by, times in taken.items()
        for start, end in times
        if draw(st.integers(0, 4))
    ]
    member = NamedMember(staff_id, f"Provider {staff_id.int}", True, BRANCH, True)
    return schedule, StartFacts([member], True, {}, [], known)


@st.composite
def explained_cases(draw: st.DrawFn, most_services: int = 3) -> ExplainedCase:
    zone = draw(st.sampled_from(sorted(ZONES)))
    day = ZONES[zone] + timedelta(days=draw(st.sampled_from([0, 0, 0, -1, 1])))
    tenant = TenantContext(uuid7(), zone, "SAR", 2, ("en",), draw(st.sampled_from([15, 20, 45, 60])))
    closed = frozenset(day + timedelta(days=n) for n in draw(st.sampled_from([[], [], [], [], [-1], [0], [1]])))
    people = PEOPLE[: draw(st.integers(1, 4))]
    drawn = [draw(schedules(staff_id, day, closed)) for staff_id in people]
    minutes = st.sampled_from([10, 25, 25, 45, 45, 90, 150, 1500])
    services = [
        ServiceToSchedule(
            draw(st.dictionaries(st.sampled_from(PEOPLE), minutes, min_size=1)),
            draw(st.sampled_from([0, 0, 10])),
            draw(st.sampled_from([0, 0, 15])),
        )
        for _ in range(draw(st.integers(1, most_services)))
    ]
    hours = draw(st.sampled_from([-200, -30, -30, 0, 8, 12, 40]))
    now = datetime.combine(day, datetime.min.time(), UTC) + timedelta(hours=hours)
    limits = None
    if draw(st.booleans()):
        last_day = day + timedelta(days=draw(st.sampled_from([-1, 0, 10])))
        limits = BookingLimits(timedelta(hours=draw(st.sampled_from([0, 2, 24]))), last_day)
    # Some who are asked about have no schedule: they no longer work here.
    schedules_of = {schedule.staff_id: schedule for schedule, _ in drawn}
    return ExplainedCase(tenant, day, services, schedules_of, now, limits, _together([facts for _, facts in drawn]))


def _together(facts: Sequence[StartFacts]) -> StartFacts:
    members = [member for one in facts for member in one.staff]
    known = {member.id for member in members}
    members += [NamedMember(id_, "Left", False, BRANCH, True) for id_ in PEOPLE if id_ not in known]
    return StartFacts(members, True, {}, [], [taken for one in facts for taken in one.occupied])
