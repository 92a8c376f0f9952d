"""Hours, time off and services change while a provider is booked: no booking is outside the hours unasked."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import date, datetime, timedelta
from decimal import Decimal
from functools import partial
from typing import Any
from uuid import UUID, uuid4

from frontdesk.availability.affected_bookings import AffectsBookings, refuse_affected_bookings
from frontdesk.catalog.changes import ItemEntry, PerformerEntry, PriceEntry
from frontdesk.catalog.save_item import SaveItem
from frontdesk.catalog.types import ItemType
from frontdesk.http.errors import Code
from frontdesk.orders.change_status import SettableStatus
from frontdesk.orders.drafts import ChangeDraft
from frontdesk.orders.edit import OrderEdit
from frontdesk.orders.edit_lines import LineChange
from frontdesk.orders.types import LineType, OrderRequest, Source
from frontdesk.postgres.act import Act
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.write import run
from frontdesk.problems import Problem
from frontdesk.scheduling.book import BookingRequest, BookOrders, BookSeries, Repetition, starts_of
from frontdesk.scheduling.move import Move, MoveBooking
from frontdesk.staff.edit import SetStaffServices
from frontdesk.staff.exceptions import AddClosedDays, ExceptionFields, SaveHourException
from frontdesk.staff.hour_types import HoursOwner, WeeklyHours
from frontdesk.staff.time_off import AddTimeOff, DecideTimeOff
from frontdesk.staff.weekly_hours import SetWorkingHours
from frontdesk.tenants.branches import SetBranchActive
from frontdesk.values.time import get_zone, to_local
from tests.factories.catalog import make_branch
from tests.factories.people import assign_service, make_staff, make_working_hours
from tests.races.fixture import MINUTES, SYSTEM, RaceFixture, open_race_fixture
from tests.races.test_leaving import one_after_the_other
from tests.races.unlocked import LockFixture, change_function, open_lock_fixture
from tests.support.acts import change_status, create_order, edit_order, reschedule_order
from tests.support.problems import code_of

CLOSED = WeeklyHours(all_time=False, intervals=())
SLOTS_OF_A_DAY = 48


class Salon:
    """A provider without bookings, on a day of their own."""

    def __init__(self, race: RaceFixture, place: int) -> None:
        self.race = race
        self.staff_id = race.staff[0]
        self.slot = place * SLOTS_OF_A_DAY
        self.start = race.start(self.slot)
        self.day: date = to_local(self.start, get_zone(race.tenant.timezone)).date()
        self.mine = HoursOwner(staff_id=self.staff_id)
        self.branch = HoursOwner(branch_id=race.branch_id)

    def order(self, slot: int = 0, source: Source = Source.API) -> OrderRequest:
        line = self.race.service_line(self.staff_id)
        return self.race.order_request(line, slot=self.slot + slot)._replace(source=source)

    async def book(self, conn: Connection, slot: int = 0, *, draft: bool = False) -> UUID:
        return (await create_order(conn, self.race.tenant, self.order(slot)._replace(draft=draft))).id

    async def change(self, conn: Connection, owner: HoursOwner, act: Act[Any]) -> None:
        """As a page does whose form confirms no booking."""
        guard = partial(refuse_affected_bookings, tenant=self.race.tenant, owner=owner, confirmed="")
        await run(conn, self.race.tenant, act, actor=SYSTEM, guard=guard)

    async def booked(self, conn: Connection) -> int:
        many: int = await conn.fetchval(
            "SELECT count(*) FROM bookings WHERE tenant_id = $1 AND staff_id = $2 AND is_active AND lower(during) = $3",
            self.race.tenant_id,
            self.staff_id,
            self.start,
        )
        return many


Step = Callable[[Connection, Salon], Awaitable[Any]]


async def week(owner: HoursOwner, conn: Connection, salon: Salon) -> None:
    await salon.change(conn, owner, SetWorkingHours(owner, CLOSED))


async def own_week(conn: Connection, salon: Salon) -> None:
    await week(salon.mine, conn, salon)


async def week_of_branch(conn: Connection, salon: Salon) -> None:
    await week(salon.branch, conn, salon)


async def exception(owner: HoursOwner, conn: Connection, salon: Salon) -> None:
    fields = ExceptionFields(salon.day, [], None)
    await salon.change(conn, owner, SaveHourException(owner, uuid4(), fields, is_new=True))


async def own_exception(conn: Connection, salon: Salon) -> None:
    await exception(salon.mine, conn, salon)


async def exception_of_branch(conn: Connection, salon: Salon) -> None:
    await exception(salon.branch, conn, salon)


async def closed_day(conn: Connection, salon: Salon) -> None:
    await salon.change(conn, salon.branch, AddClosedDays(salon.race.branch_id, [salon.day], None))


def during(salon: Salon) -> tuple[datetime, datetime]:
    return salon.start - timedelta(hours=1), salon.start + timedelta(hours=1)


async def time_off(conn: Connection, salon: Salon) -> None:
    await salon.change(conn, salon.mine, AddTimeOff(salon.staff_id, uuid4(), *during(salon), None, "approved"))


async def approval(conn: Connection, salon: Salon) -> None:
    """Of time off that was requested before."""
    [row] = await salon.race.shop.sql(
        "SELECT id FROM time_off WHERE tenant_id = $1 AND staff_id = $2 AND status = 'requested'", salon.staff_id
    )
    await salon.change(conn, salon.mine, DecideTimeOff(salon.staff_id, row["id"], "approved", 1))


async def no_services(conn: Connection, salon: Salon) -> None:
    await run(conn, salon.race.tenant, SetStaffServices(salon.staff_id, []), actor=SYSTEM)


async def no_performers(conn: Connection, salon: Salon) -> None:
    """On the page of the service."""
    race = salon.race
    [item] = await race.shop.sql("SELECT version FROM items WHERE tenant_id = $1 AND id = $2", race.service_id)
    entry = ItemEntry(
        race.service_id,
        item["version"],
        ItemType.SERVICE,
        race.branch_id,
        {"en": "Cut"},
        {},
        PriceEntry(Decimal(100)),
        duration=MINUTES,
        performers=(PerformerEntry(salon.staff_id, performs=False),),
    )
    await run(conn, race.tenant, SaveItem(entry), actor=SYSTEM)


async def inactive_branch(conn: Connection, salon: Salon) -> None:
    await run(conn, salon.race.tenant, SetBranchActive(salon.race.branch_id, active=False), actor=SYSTEM)


# Those of the branch come last: they end the day of everybody.
HOURS: list[Step] = [own_week, own_exception, time_off, approval, exception_of_branch, closed_day, week_of_branch]


@asynccontextmanager
async def salons(dsn: str) -> AsyncIterator[tuple[LockFixture, Callable[[], Awaitable[Salon]]]]:
    """A new provider for each call, who has requested time off. Only they have the hours of the branch: always open."""
    race = await open_race_fixture(dsn)
    await make_branch(race.shop)  # the last active one cannot be deactivated
    await race.shop.sql("DELETE FROM working_hours WHERE tenant_id = $1")
    for member in await race.shop.sql("SELECT id FROM staff WHERE tenant_id = $1"):
        await make_working_hours(race.shop, {}, staff_id=member["id"], all_time=True)
    await make_working_hours(race.shop, {}, branch_id=race.branch_id, all_time=True)
    opened = 0

    async def new() -> Salon:
        nonlocal opened
        opened += 1
        staff_id = await make_staff(race.shop, "Provider", branch_id=race.branch_id)
        await assign_service(race.shop, staff_id, race.service_id)
        race.staff = [staff_id]
        salon = Salon(race, opened)
        requested = AddTimeOff(staff_id, uuid4(), *during(salon), None, "requested")
        await run(locks.command, race.tenant, requested, actor=SYSTEM)
        return salon

    async with open_lock_fixture(dsn) as locks:
        yield locks, new


async def meet(locks: LockFixture, salon: Salon, *acts: Step) -> list[BaseException | None]:
    def started(act: Step) -> Any:
        return lambda conn, _: act(conn, salon)

    outcomes = await one_after_the_other(locks, salon.race, *map(started, acts))
    return [outcome if isinstance(outcome, BaseException) else None for outcome in outcomes]


async def book(conn: Connection, salon: Salon) -> None:
    await salon.book(conn)


async def test_a_booking_that_was_checked_against_other_hours_is_checked_again(empty_dsn: str) -> None:
    async with salons(empty_dsn) as (locks, new):
        for change in [*HOURS[:4], no_services, no_performers, *HOURS[4:], inactive_branch]:
            salon = await new()
            if change is inactive_branch:
                await make_working_hours(salon.race.shop, {}, staff_id=salon.staff_id, all_time=True)
            changed, refused = await meet(locks, salon, change, book)
            assert changed is None, change
            assert isinstance(refused, Problem), change
            expected = Code.VALIDATION_ERROR if change in (no_services, no_performers) else Code.TIMESLOT_UNAVAILABLE
            assert (change, code_of(refused)) == (change, expected)
            assert await salon.booked(locks.command) == 0


async def test_without_the_comparison_it_is_booked_outside_the_hours(empty_dsn: str) -> None:
    async with salons(empty_dsn) as (locks, new):
        await change_function(locks.command, "lock_providers", "OR NOT p_bookings", "OR false AND NOT p_bookings")
        for change in [own_week, closed_day]:
            assert await meet(locks, await new(), change, book) == [None, None]


async def test_a_change_of_hours_finds_the_booking_that_was_made_while_it_waited(empty_dsn: str) -> None:
    async with salons(empty_dsn) as (locks, new):
        for change in HOURS:
            salon = await new()
            booked, asked = await meet(locks, salon, book, change)
            assert booked is None
            assert isinstance(asked, AffectsBookings), change
            assert salon.start in [booking.start for booking in asked.bookings if booking.staff_id == salon.staff_id]
            await salon.book(locks.command, slot=1)  # nothing was saved


async def test_without_the_lock_it_is_saved_unasked(empty_dsn: str) -> None:
    async with salons(empty_dsn) as (locks, new):
        await change_function(locks.command, "lock_schedules", "FOR NO KEY UPDATE", "")
        for change in [own_week, closed_day]:
            salon = await new()
            assert await meet(locks, salon, book, change) == [None, None]
            assert await salon.booked(locks.command) == 1


async def online(_: UUID, conn: Connection, salon: Salon) -> None:
    """The public page, and the form of the front desk."""
    request = BookingRequest(salon.order(source=Source.ONLINE))
    await run(conn, salon.race.tenant, BookOrders(request, uuid4()), actor=SYSTEM)


async def series(_: UUID, conn: Connection, salon: Salon) -> None:
    request = BookingRequest(salon.order(source=Source.DASHBOARD))
    starts = starts_of(salon.start, Repetition(1, times=2))
    await run(conn, salon.race.tenant, BookSeries(request, starts, 1, uuid4()), actor=SYSTEM)


async def reschedule(order_id: UUID, conn: Connection, salon: Salon) -> None:
    await reschedule_order(conn, salon.race.tenant, order_id, salon.start, [], SYSTEM)


async def drag(order_id: UUID, conn: Connection, salon: Salon) -> None:
    """In the calendar."""
    move = Move((await line_of(order_id, salon),), salon.start, salon.staff_id)
    await run(conn, salon.race.tenant, MoveBooking(order_id, move), actor=SYSTEM)


async def edit(order_id: UUID, conn: Connection, salon: Salon) -> None:
    line_id = await line_of(order_id, salon)
    line = LineChange(line_id, LineType.SERVICE, salon.race.service_id, 1, salon.staff_id)
    await edit_order(conn, salon.race.tenant, order_id, OrderEdit(1, [line], None, salon.start), SYSTEM)


async def confirm(order_id: UUID, conn: Connection, salon: Salon) -> None:
    await change_status(conn, salon.race.tenant, order_id, SettableStatus.CONFIRMED, None, SYSTEM)


async def finish(order_id: UUID, conn: Connection, salon: Salon) -> None:
    """At the till."""
    order = salon.order(source=Source.POS)
    await run(conn, salon.race.tenant, ChangeDraft(order_id, order), actor=SYSTEM)


async def line_of(order_id: UUID, salon: Salon) -> UUID:
    [row] = await salon.race.shop.sql("SELECT id FROM order_lines WHERE tenant_id = $1 AND order_id = $2", order_id)
    line_id: UUID = row["id"]
    return line_id


async def test_no_way_of_booking_misses_a_change_of_hours(empty_dsn: str) -> None:
    """A draft has the time already; the other orders are of the next day."""
    async with salons(empty_dsn) as (locks, new):
        for way in [online, series, reschedule, drag, edit, confirm, finish]:
            salon, is_draft = await new(), way in (confirm, finish)
            order_id = await salon.book(locks.command, slot=0 if is_draft else SLOTS_OF_A_DAY, draft=is_draft)
            changed, refused = await meet(locks, salon, own_exception, partial(way, order_id))
            assert isinstance(refused, Problem), way
            assert (way, changed, code_of(refused)) == (way, None, Code.TIMESLOT_UNAVAILABLE)
            assert await salon.booked(locks.command) == 0
