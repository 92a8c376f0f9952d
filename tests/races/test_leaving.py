"""A provider leaves, or goes to another branch, while they are booked: there is never a booking without a provider."""

import asyncio
from collections.abc import Callable, Coroutine
from datetime import timedelta

from frontdesk.postgres.pool import Connection
from frontdesk.postgres.write import run
from frontdesk.problems import Problem
from frontdesk.staff.edit import SaveStaffMember, SetStaffActive, StaffFields
from frontdesk.staff.problems import StaffProblem
from tests.factories.catalog import SOME_DAY, make_branch
from tests.races.fixture import SYSTEM, RaceFixture, open_race_fixture
from tests.races.unlocked import LockFixture, change_function, open_lock_fixture
from tests.support.acts import create_order

PROVIDER = "SELECT FROM staff WHERE id = ANY($1) FOR NO KEY UPDATE"
LATER = SOME_DAY + timedelta(days=9999)


async def leave(conn: Connection, race: RaceFixture) -> None:
    await run(conn, race.tenant, SetStaffActive(race.staff[0], active=False), actor=SYSTEM)


async def change_branch(conn: Connection, race: RaceFixture) -> None:
    """To the youngest one."""
    [row] = await race.shop.sql("SELECT id FROM branches WHERE tenant_id = $1 ORDER BY created_at DESC LIMIT 1")
    fields = StaffFields("Provider", None, None, None, row["id"], None, None)
    await run(conn, race.tenant, SaveStaffMember(race.staff[0], fields), actor=SYSTEM)


async def book(conn: Connection, race: RaceFixture) -> None:
    await create_order(conn, race.tenant, race.order_request(race.service_line(race.staff[0])))


async def one_after_the_other(
    locks: LockFixture, race: RaceFixture, *acts: Callable[[Connection, RaceFixture], Coroutine[None, None, None]]
) -> list[BaseException | None]:
    """All have looked before any writes, and they write in this order. Returns their errors."""
    started = []
    async with locks.command.transaction():
        await locks.command.execute(PROVIDER, race.staff)
        for writer, act in zip(locks.writers, acts, strict=True):
            started.append(asyncio.create_task(act(writer, race)))
            await locks.until_waiting(len(started))
    return list(await asyncio.gather(*started, return_exceptions=True))


async def test_a_provider_who_is_being_booked_cannot_leave(empty_dsn: str) -> None:
    race = await open_race_fixture(empty_dsn, providers=2)
    await make_branch(race.shop, created_at=LATER)
    async with open_lock_fixture(empty_dsn) as locks:
        for act in [leave, change_branch]:
            booked, refused = await one_after_the_other(locks, race, book, act)
            assert booked is None
            assert isinstance(refused, Problem)
            assert isinstance(refused.kind, StaffProblem)
            race.staff = race.staff[1:]


async def test_a_provider_who_has_left_is_not_booked(empty_dsn: str) -> None:
    race = await open_race_fixture(empty_dsn, providers=2)
    await make_branch(race.shop, created_at=LATER)
    async with open_lock_fixture(empty_dsn) as locks:
        for act in [leave, change_branch]:
            left, refused = await one_after_the_other(locks, race, act, book)
            assert left is None
            assert isinstance(refused, Problem)
            race.staff = race.staff[1:]
    assert await race.broken_invariants() == []


async def test_without_the_check_a_provider_who_has_left_is_booked(empty_dsn: str) -> None:
    race = await open_race_fixture(empty_dsn)
    async with open_lock_fixture(empty_dsn) as locks:
        await change_function(locks.command, "lock_providers", "NOT s.active OR ", "")
        assert await one_after_the_other(locks, race, leave, book) == [None, None]
        stranded = await locks.command.fetchval(
            "SELECT count(*) FROM bookings k JOIN staff s ON (s.tenant_id, s.id) = (k.tenant_id, k.staff_id)"
            " WHERE NOT s.active AND k.is_active"
        )
    assert stranded == 1
