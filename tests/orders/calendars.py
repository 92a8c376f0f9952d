"""Businesses of random hours, people and services: invented, written into the database, and reckoned with plainly."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

from hypothesis import strategies as st

from frontdesk.orders.types import LineType, OrderLineRequest, OrderRequest, Source
from frontdesk.postgres.pool import Connection
from frontdesk.values.tenant_context import TenantContext
from tests.availability.reference import Answers, Case, Range
from tests.availability.test_slots_agree_with_reference import cases, exceptional_days, ranges, week
from tests.factories.catalog import make_branch, make_service
from tests.factories.changes import change_tenant
from tests.factories.people import (
    add_intervals,
    assign_service,
    make_closed_day,
    make_hour_exception,
    make_staff,
    make_time_off,
    make_working_hours,
)
from tests.factories.states import insert_old_bookings
from tests.factories.tenant_rows import ConnectionRows, TenantRows

DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")  # as the database counts them


@dataclass
class LineSpec:
    """One line of an order: which service, how often, and by whom, or by anybody."""

    service: int
    quantity: int
    provider: int | None


@dataclass
class Plan:
    """Zone, grid, moment, window and closed days are the same in every provider's case."""

    providers: list[Case]
    services: list[int]  # minutes
    performs: dict[tuple[int, int], int | None]  # (service, provider) to own minutes
    from_branch: bool  # the first provider has no hours but the branch's
    lines: list[LineSpec]

    @property
    def case(self) -> Case:
        return self.providers[0]

    def candidates(self, line: LineSpec) -> dict[int, int]:
        """Who may perform a line, and the minutes that each of them needs."""
        return {
            provider: line.quantity * (own or self.services[service])
            for (service, provider), own in self.performs.items()
            if service == line.service and line.provider in (None, provider)
        }


@dataclass
class StoredPlan:
    """A plan as it stands in the database."""

    tenant: TenantContext
    branch_id: UUID
    services: list[UUID]
    staff: list[UUID]

    def order(self, plan: Plan, start: datetime, by: UUID | None = None) -> OrderRequest:
        """`by` names who performs the first line."""
        lines = [
            OrderLineRequest(
                self.services[line.service],
                LineType.SERVICE,
                line.quantity,
                None if line.provider is None else self.staff[line.provider],
            )
            for line in plan.lines
        ]
        if by is not None:
            lines[0] = lines[0]._replace(staff_id=by)
        return OrderRequest(self.branch_id, None, start, lines, None, [], Source.API)


@st.composite
def plans(draw: st.DrawFn, *, alone: bool) -> Plan:
    """One provider and one line that names them, or several of both."""
    first = draw(cases())
    providers = [first, *(draw(colleagues(first)) for _ in range(0 if alone else draw(st.integers(1, 2))))]
    minutes = st.one_of(st.sampled_from([15, 30, 45, 60]), st.integers(1, 200))
    services = [min(first.length, 1440)] if alone else draw(st.lists(minutes, min_size=1, max_size=2))
    pairs = [(service, provider) for service in range(len(services)) for provider in range(len(providers))]
    own = st.one_of(st.none(), minutes)
    performs = {pair: draw(own) for pair in pairs if alone or draw(st.integers(0, 4))}
    lines = [LineSpec(0, draw(st.sampled_from([1, 1, 1, 2, 3])), 0)] if alone else draw(_lines(services, providers))
    plan = Plan(providers, services, performs, draw(st.booleans()), lines)
    longest = sum(max(plan.candidates(line).values(), default=1) for line in lines)
    plan.providers = [
        replace(case, length=longest, bookings=apart(case.bookings), exceptions_limit=False) for case in providers
    ]
    return plan


@st.composite
def colleagues(draw: st.DrawFn, first: Case) -> Case:
    """Another provider of the same branch."""
    return replace(
        first,
        intervals=draw(week()),
        all_time=draw(st.integers(0, 5)) == 0,
        active=True,
        exceptions=draw(exceptional_days(first.first)),
        time_off=draw(st.lists(ranges(first.first), max_size=1)),
        bookings=draw(st.lists(ranges(first.first), max_size=4)),
    )


@st.composite
def _lines(draw: st.DrawFn, services: list[int], providers: list[Case]) -> list[LineSpec]:
    someone = st.one_of(st.none(), st.none(), st.integers(0, len(providers) - 1))
    one = st.builds(LineSpec, st.integers(0, len(services) - 1), st.sampled_from([1, 1, 2]), someone)
    return draw(st.lists(one, min_size=1, max_size=3))


def apart(bookings: list[Range]) -> list[Range]:
    """Whole minutes, and none that overlaps another, as the database wants them."""
    kept: list[Range] = []
    for start, end in sorted(bookings):
        begin = start.replace(second=0)
        if not kept or kept[-1][1] <= begin:
            kept.append((begin, max(end.replace(second=0), begin + timedelta(minutes=1))))
    return kept


class SlotModel:
    """What the plan allows, by walking every minute."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self.answers = [Answers(case) for case in plan.providers]

    def refusal(self, minute: int, provider: int, length: int) -> str | None:
        answers = self.answers[provider]
        answers.case.length = length
        return answers.refusal(minute)

    def goes(self, minute: int, place: int = 0) -> bool:
        """May the lines from `place` on follow one another from this minute?"""
        if place == len(self._plan.lines):
            return True
        return any(
            self.refusal(minute, provider, length) in ((None, "off_grid") if place else (None,))
            and self.goes(minute + length, place + 1)
            for provider, length in self._plan.candidates(self._plan.lines[place]).items()
        )

    def ticks(self, minutes: list[int]) -> list[int]:
        """Those at which anybody's grid has a mark and that a local time names; nothing else can be offered."""
        marked = set().union(*(answers.ticks for answers in self.answers))
        return [minute for minute in minutes if minute in marked and self.answers[0].is_named(minute)]

    def interesting(self) -> Iterator[int]:
        """Minutes at which something begins or ends for a provider, and those beside them."""
        case = self._plan.case
        midnight = datetime(case.first.year, case.first.month, case.first.day, tzinfo=UTC)
        for answers in self.answers:
            for begin, end in [*answers.case.bookings, *answers.case.time_off, (case.now, midnight)]:
                yield from (int(edge.timestamp()) // 60 + near for edge in (begin, end) for near in (-1, 0, 1))
            edges = {minute for minute in answers.opened if minute - 1 not in answers.opened}
            yield from (minute + near for minute in edges for near in (-1, 0, 1, case.grid, case.grid + 1))


async def store_plan(conn: Connection, tenant_id: UUID, plan: Plan) -> StoredPlan:
    """Inside the caller's transaction, which is rolled back: zone and grid belong to the whole business."""
    case = plan.case
    rows = ConnectionRows(conn, tenant_id)
    await change_tenant(rows, timezone=case.zone, grid_minutes=case.grid)
    branch_id = await make_branch(rows)
    for closed in case.closed:
        await make_closed_day(rows, branch_id, closed)
    services = [
        await make_service(rows, price="10", duration=duration, branch_id=branch_id, buffers=(case.before, case.after))
        for duration in plan.services
    ]
    # In the order of their ids, so that a repeated plan chooses the same one of two who are equally free.
    staff = sorted(uuid4() for _ in plan.providers)
    for id_, case in zip(staff, plan.providers, strict=True):
        await make_staff(rows, id_=id_, branch_id=branch_id)
        for day, openings in case.exceptions.items():
            await make_hour_exception(rows, day, openings, staff_id=id_)
        for begin, end in case.time_off:
            await make_time_off(rows, id_, begin, end)
        if case.bookings:
            await insert_old_bookings(rows, branch_id, services[0], id_, case.bookings)
    for number, case in enumerate(plan.providers):
        of_branch = number == 0 and plan.from_branch
        hours_id = await make_working_hours(
            rows,
            {},
            branch_id=branch_id if of_branch else None,
            staff_id=None if of_branch else staff[number],
            all_time=case.all_time,
            active=case.active,
        )
        times = [(DAYS.index(day), opens, closes, active) for day, opens, closes, active in case.intervals]
        await add_intervals(rows, hours_id, times)
    for (service, provider), own in plan.performs.items():
        await assign_service(rows, staff[provider], services[service], duration=own)
    await _write_strangers(rows, branch_id, services[0])
    return StoredPlan(TenantContext(tenant_id, case.zone, "SAR", 2, ("ar",), case.grid), branch_id, services, staff)


async def _write_strangers(rows: TenantRows, branch_id: UUID, service_id: UUID) -> None:
    """Two who know the first service and are always open, but work in another branch or no longer: never to be met."""
    other_branch = await make_branch(rows)
    retired = await make_staff(rows, branch_id=branch_id, active=False)
    elsewhere = await make_staff(rows, branch_id=other_branch)
    for staff_id in (retired, elsewhere):
        await make_working_hours(rows, {}, staff_id=staff_id, all_time=True)
        await assign_service(rows, staff_id, service_id)
