"""Every offered start books and nothing else does, whatever the calendars, on both sides of a clock change."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from asyncpg import Record
from hypothesis import given, note, settings, strategies as st

from frontdesk.availability.find_slots import AvailabilityQuery, find_slots, look_up
from frontdesk.availability.problems import TimeProblem
from frontdesk.availability.queries import read_service
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import fetch
from frontdesk.problems import Problem
from frontdesk.values.time import get_zone, to_instant
from tests.availability.reference import instant, minute_of
from tests.factories.settings import make_tenant
from tests.orders.calendars import Plan, SlotModel, StoredPlan, plans, store_plan
from tests.support.acts import create_order
from tests.support.repetitions import repetitions

pytestmark = pytest.mark.torture

TRIED = 5


@pytest.fixture
async def tenant_id(conn: Connection) -> UUID:
    """A business with nothing in it; what an example writes into it is rolled back."""
    return await make_tenant(conn, timezone="UTC")


@asynccontextmanager
async def undone(conn: Connection) -> AsyncIterator[None]:
    """Rolls back everything that is written inside."""
    transaction = conn.transaction()
    await transaction.start()
    try:
        yield
    finally:
        await transaction.rollback()


async def attempt(
    conn: Connection, plan: Plan, written: StoredPlan, start: datetime, by: UUID | None = None
) -> list[Record] | Problem:
    """The bookings that an order at this start would make, or why it is refused."""
    async with undone(conn):
        try:
            await create_order(conn, written.tenant, written.order(plan, start, by), plan.case.now)
        except Problem as refused:
            return refused
        return await conn.fetch(
            """
            SELECT b.staff_id, b.item_id, lower(b.during) AS start, upper(b.during) AS end
            FROM bookings b JOIN orders o ON (o.tenant_id, o.id) = (b.tenant_id, b.order_id)
            JOIN order_lines l ON (l.tenant_id, l.id) = (b.tenant_id, b.line_id)
            WHERE b.tenant_id = $1 AND o.order_number > 0 ORDER BY l.position
            """,
            written.tenant.tenant_id,
        )


async def offered(conn: Connection, plan: Plan, written: StoredPlan) -> list[datetime]:
    """The instants of everything offered for the first line, which the answer names by the wall clock."""
    line, case = plan.lines[0], plan.case
    question = AvailabilityQuery(
        service_id=written.services[line.service],
        staff_id=None if line.provider is None else written.staff[line.provider],
        first=case.first,
        days=case.days,
        quantity=line.quantity,
        search_on=False,
        explain=False,
    )
    zone = get_zone(case.zone)
    service = read_service(await fetch(conn, written.tenant.tenant_id, look_up(question, case.now)))
    slots = find_slots(zone, question, service, case.now).slots
    return [
        to_instant(datetime.fromisoformat(f"{day}T{reading}"), zone)
        for day, times in slots.items()
        for reading in times
    ]


def window(plan: Plan, reckoning: SlotModel) -> list[int]:
    """Every minute of the days asked about."""
    walk = reckoning.answers[0].walk
    return [m for n in range(plan.case.days) for m in walk.of_date[plan.case.first + timedelta(days=n)]]


def some(data: st.DataObject, choices: list[Any], count: int = TRIED) -> list[Any]:
    return data.draw(st.lists(st.sampled_from(choices), max_size=count, unique=True)) if choices else []


@settings(max_examples=repetitions(15, long=160))
@given(plan=plans(alone=True), data=st.data())
async def test_a_named_provider_is_offered_and_booked_as_the_reference_says(
    conn: Connection, tenant_id: UUID, plan: Plan, data: st.DataObject
) -> None:
    async with undone(conn):
        written, reckoning = await store_plan(conn, tenant_id, plan), SlotModel(plan)
        ((provider, length),) = plan.candidates(plan.lines[0]).items()
        minutes = window(plan, reckoning)
        starts = await offered(conn, plan, written)
        assert starts == [
            instant(m) for m in reckoning.ticks(minutes) if reckoning.refusal(m, provider, length) is None
        ]
        for start in some(data, starts):
            (booking,) = taken(await attempt(conn, plan, written, start))
            assert booking["staff_id"] == written.staff[provider]
            assert (booking["start"], booking["end"]) == (start, start + timedelta(minutes=length))
        edges = sorted({m for m in reckoning.interesting() if minutes[0] <= m <= minutes[-1]})
        for minute in {*some(data, edges), *some(data, minutes, 2)} - {minute_of(start) for start in starts}:
            outcome = await attempt(conn, plan, written, instant(minute))
            if reckoning.refusal(minute, provider, length) is None:  # the second of a repeated hour, by its offset
                (booking,) = taken(outcome)
                assert booking["start"] == instant(minute)
                assert not reckoning.answers[0].is_named(minute)
            else:
                assert reason(outcome) == reckoning.refusal(minute, provider, length), instant(minute)


@settings(max_examples=repetitions(15, long=130))
@given(plan=plans(alone=False), data=st.data())
async def test_several_services_go_exactly_where_a_provider_is_free_for_each_in_turn(
    conn: Connection, tenant_id: UUID, plan: Plan, data: st.DataObject
) -> None:
    async with undone(conn):
        written, reckoning = await store_plan(conn, tenant_id, plan), SlotModel(plan)
        minutes = window(plan, reckoning)
        if not all(plan.candidates(line) for line in plan.lines):
            assert await attempt(conn, plan, written, instant(minutes[0]))
            return
        starts = [minute_of(start) for start in await offered(conn, plan, written)]
        first = plan.candidates(plan.lines[0]).items()
        assert starts == [
            m for m in reckoning.ticks(minutes) if any(reckoning.refusal(m, *who) is None for who in first)
        ]
        edges = sorted({m for m in reckoning.interesting() if minutes[0] <= m <= minutes[-1]})
        for minute in {*some(data, starts), *some(data, edges, 4), *some(data, minutes, 2)}:
            outcome = await attempt(conn, plan, written, instant(minute))
            note(f"{instant(minute)}: {outcome!r}")
            if reckoning.goes(minute):
                in_turn(plan, written, instant(minute), taken(outcome))
            else:
                assert reason(outcome)


def taken(outcome: list[Record] | Problem) -> list[Record]:
    if isinstance(outcome, Problem):
        raise outcome
    return outcome


def reason(outcome: list[Record] | Problem) -> str:
    assert isinstance(outcome, Problem)
    assert isinstance(outcome.kind, TimeProblem), outcome
    return outcome.kind.name.lower()


def in_turn(plan: Plan, written: StoredPlan, start: datetime, bookings: list[Record]) -> None:
    """One booking per line, each from the end of the one before, as long as who performs it needs."""
    assert len(bookings) == len(plan.lines)
    for line, booking in zip(plan.lines, bookings, strict=True):
        length = plan.candidates(line)[written.staff.index(booking["staff_id"])]
        assert booking["item_id"] == written.services[line.service]
        assert (booking["start"], booking["end"]) == (start, start + timedelta(minutes=length))
        start = booking["end"]


@settings(max_examples=repetitions(6, long=50))
@given(plan=plans(alone=False), data=st.data())
async def test_every_alternative_that_a_refusal_names_books(
    conn: Connection, tenant_id: UUID, plan: Plan, data: st.DataObject
) -> None:
    async with undone(conn):
        written, reckoning = await store_plan(conn, tenant_id, plan), SlotModel(plan)
        if not all(plan.candidates(line) for line in plan.lines):
            return
        minute = data.draw(st.sampled_from(window(plan, reckoning)))
        refused = await attempt(conn, plan, written, instant(minute))
        if not isinstance(refused, Problem) or "alternatives" not in refused.values:
            return
        for other in refused.values["alternatives"]:
            start = to_instant(other.start, get_zone(plan.case.zone))
            bookings = taken(await attempt(conn, plan, written, start, other.staff_id))
            in_turn(plan, written, start, bookings)


@settings(max_examples=repetitions(4, long=40))
@given(plan=plans(alone=False), data=st.data())
async def test_starts_taken_one_after_the_other_leave_only_starts_that_book(
    conn: Connection, tenant_id: UUID, plan: Plan, data: st.DataObject
) -> None:
    """What the service wrote itself counts as much as what stood there before."""
    plan.lines = plan.lines[:1]
    async with undone(conn):
        written = await store_plan(conn, tenant_id, plan)
        for _ in range(6 if plan.candidates(plan.lines[0]) else 0):
            starts = await offered(conn, plan, written)
            if not starts:
                break
            order = written.order(plan, data.draw(st.sampled_from(starts)))
            await create_order(conn, written.tenant, order, plan.case.now)
