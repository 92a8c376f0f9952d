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
from tests.factories.changes import delete_rows
from tests.factories.people import assign_service, make_staff, make_working_hours
from tests.races.fixture import MINUTES, SYSTEM, RaceFixture, open_race_fixture
from tests.races.test_leaving import one_after_the_other
from tests.races.unlocked import LockFixture, change_function, open_lock_fixture
from tests.support.acts import change_status, create_order, edit_order, reschedule_order
from tests.support.problems import code_of

CLOSED = WeeklyHours(all_time=False, intervals=())
SLOTS_OF_A_DAY = 48


class ProviderDay:
    """A provider without bookings, on a day of their own."""

    def __init__(self, race: RaceFixture, index: int) -> None:
        self.race = race
        self.staff_id = race.staff[0]
        self.slot = index * SLOTS_OF_A_DAY
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
        count: int = await conn.fetchval(
            "SELECT count(*) FROM bookings WHERE tenant_id = $1 AND staff_id = $2 AND is_active AND lower(during) = $3",
            self.race.tenant_id,
            self.staff_id,
            self.start,
        )
        return count


Step = Callable[[Connection, ProviderDay], Awaitable[Any]]


async def week(owner: HoursOwner, conn: Connection, provider_day: ProviderDay) -> None:
    await provider_day.change(conn, owner, SetWorkingHours(owner, CLOSED))


async def own_week(conn: Connection, provider_day: ProviderDay) -> None:
    await week(provider_day.mine, conn, provider_day)


async def week_of_branch(conn: Connection, provider_day: ProviderDay) -> None:
    await week(provider_day.branch, conn, provider_day)


async def exception(owner: HoursOwner, conn: Connection, provider_day: ProviderDay) -> None:
    fields = ExceptionFields(provider_day.day, [], None)
    await provider_day.change(conn, owner, SaveHourException(owner, uuid4(), fields, is_new=True))


async def own_exception(conn: Connection, provider_day: ProviderDay) -> None:
    await exception(provider_day.mine, conn, provider_day)


async def exception_of_branch(conn: Connection, provider_day: ProviderDay) -> None:
    await exception(provider_day.branch, conn, provider_day)


async def closed_day(conn: Connection, provider_day: ProviderDay) -> None:
    await provider_day.change(
        conn, provider_day.branch, AddClosedDays(provider_day.race.branch_id, [provider_day.day], None)
    )


def during(provider_day: ProviderDay) -> tuple[datetime, datetime]:
    return provider_day.start - timedelta(hours=1), provider_day.start + timedelta(hours=1)


async def time_off(conn: Connection, provider_day: ProviderDay) -> None:
    await provider_day.change(
        conn, provider_day.mine, AddTimeOff(provider_day.staff_id, uuid4(), *during(provider_day), None, "approved")
    )


async def approval(conn: Connection, provider_day: ProviderDay) -> None:
    """Of time off that was requested before."""
    [row] = await provider_day.race.shop.sql(
        "SELECT id FROM time_off WHERE tenant_id = $1 AND staff_id = $2 AND status = 'requested'", provider_day.staff_id
    )
    await provider_day.change(conn, provider_day.mine, DecideTimeOff(row["id"], "approved", 1))


async def no_services(conn: Connection, provider_day: ProviderDay) -> None:
    await run(conn, provider_day.race.tenant, SetStaffServices(provider_day.staff_id, []), actor=SYSTEM)


async def no_performers(conn: Connection, provider_day: ProviderDay) -> None:
    """On the page of the service."""
    race = provider_day.race
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
        performers=(PerformerEntry(provider_day.staff_id, performs=False),),
    )
    await run(conn, race.tenant, SaveItem(entry), actor=SYSTEM)


async def inactive_branch(conn: Connection, provider_day: ProviderDay) -> None:
    await run(conn, provider_day.race.tenant, SetBranchActive(provider_day.race.branch_id, active=False), actor=SYSTEM)


# Those of the branch come last: they end the day of everybody.
HOURS: list[Step] = [own_week, own_exception, time_off, approval, exception_of_branch, closed_day, week_of_branch]


@asynccontextmanager
async def new_provider_days(dsn: str) -> AsyncIterator[tuple[LockFixture, Callable[[], Awaitable[ProviderDay]]]]:
    """A new provider for each call, who has requested time off. Only they have the hours of the branch: always open."""
    race = await open_race_fixture(dsn)
    await make_branch(race.shop)  # the last active one cannot be deactivated
    await delete_rows(race.shop, "working_hours")
    for member in await race.shop.sql("SELECT id FROM staff WHERE tenant_id = $1"):
        await make_working_hours(race.shop, {}, staff_id=member["id"], all_time=True)
    await make_working_hours(race.shop, {}, branch_id=race.branch_id, all_time=True)
    opened = 0

    async def new() -> ProviderDay:
        nonlocal opened
        opened += 1
        staff_id = await make_staff(race.shop, "Provider", branch_id=race.branch_id)
        await assign_service(race.shop, staff_id, race.service_id)
        race.staff = [staff_id]
        provider_day = ProviderDay(race, opened)
        requested = AddTimeOff(staff_id, uuid4(), *during(provider_day), None, "requested")
        await run(locks.command, race.tenant, requested, actor=SYSTEM)
        return provider_day

    async with open_lock_fixture(dsn) as locks:
        yield locks, new


async def meet(locks: LockFixture, provider_day: ProviderDay, *acts: Step) -> list[BaseException | None]:
    def started(act: Step) -> Any:
        return lambda conn, _: act(conn, provider_day)

    outcomes = await one_after_the_other(locks, provider_day.race, *map(started, acts))
    return [outcome if isinstance(outcome, BaseException) else None for outcome in outcomes]


async def book(conn: Connection, provider_day: ProviderDay) -> None:
    await provider_day.book(conn)


async def test_a_booking_that_was_checked_against_other_hours_is_checked_again(empty_dsn: str) -> None:
    async with new_provider_days(empty_dsn) as (locks, new):
        for change in [*HOURS[:4], no_services, no_performers, *HOURS[4:], inactive_branch]:
            provider_day = await new()
            if change is inactive_branch:
                await make_working_hours(provider_day.race.shop, {}, staff_id=provider_day.staff_id, all_time=True)
            changed, refused = await meet(locks, provider_day, change, book)
            assert changed is None, change
            assert isinstance(refused, Problem), change
            expected = Code.VALIDATION_ERROR if change in (no_services, no_performers) else Code.TIMESLOT_UNAVAILABLE
            assert (change, code_of(refused)) == (change, expected)
            assert await provider_day.booked(locks.command) == 0


async def test_without_the_schedule_version_a_booking_is_outside_the_hours(empty_dsn: str) -> None:
    async with new_provider_days(empty_dsn) as (locks, new):
        await change_function(locks.command, "lock_providers", "OR NOT p_bookings", "OR false AND NOT p_bookings")
        for change in [own_week, closed_day]:
            assert await meet(locks, await new(), change, book) == [None, None]


async def test_a_change_of_hours_finds_the_booking_that_was_made_while_it_waited(empty_dsn: str) -> None:
    async with new_provider_days(empty_dsn) as (locks, new):
        for change in HOURS:
            provider_day = await new()
            booked, asked = await meet(locks, provider_day, book, change)
            assert booked is None
            assert isinstance(asked, AffectsBookings), change
            assert provider_day.start in [
                booking.start for booking in asked.bookings if booking.staff_id == provider_day.staff_id
            ]
            await provider_day.book(locks.command, slot=1)  # nothing was saved


async def test_without_the_lock_changed_hours_miss_a_booking(empty_dsn: str) -> None:
    async with new_provider_days(empty_dsn) as (locks, new):
        await change_function(locks.command, "lock_schedules", "FOR NO KEY UPDATE", "")
        for change in [own_week, closed_day]:
            provider_day = await new()
            assert await meet(locks, provider_day, book, change) == [None, None]
            assert await provider_day.booked(locks.command) == 1


async def online(_: UUID, conn: Connection, provider_day: ProviderDay) -> None:
    """The public page, and the form of the front desk."""
    request = BookingRequest(provider_day.order(source=Source.ONLINE))
    await run(conn, provider_day.race.tenant, BookOrders(request, uuid4()), actor=SYSTEM)


async def series(_: UUID, conn: Connection, provider_day: ProviderDay) -> None:
    request = BookingRequest(provider_day.order(source=Source.DASHBOARD))
    starts = starts_of(provider_day.start, Repetition(1, times=2))
    await run(conn, provider_day.race.tenant, BookSeries(request, starts, 1, uuid4()), actor=SYSTEM)


async def reschedule(order_id: UUID, conn: Connection, provider_day: ProviderDay) -> None:
    await reschedule_order(conn, provider_day.race.tenant, order_id, provider_day.start, [], SYSTEM)


async def drag(order_id: UUID, conn: Connection, provider_day: ProviderDay) -> None:
    """In the calendar."""
    move = Move((await line_of(order_id, provider_day),), provider_day.start, provider_day.staff_id)
    await run(conn, provider_day.race.tenant, MoveBooking(order_id, move), actor=SYSTEM)


async def edit(order_id: UUID, conn: Connection, provider_day: ProviderDay) -> None:
    line_id = await line_of(order_id, provider_day)
    line = LineChange(line_id, LineType.SERVICE, provider_day.race.service_id, 1, provider_day.staff_id)
    await edit_order(conn, provider_day.race.tenant, order_id, OrderEdit(1, [line], None, provider_day.start), SYSTEM)


async def confirm(order_id: UUID, conn: Connection, provider_day: ProviderDay) -> None:
    await change_status(conn, provider_day.race.tenant, order_id, SettableStatus.CONFIRMED, None, SYSTEM)


async def finish(order_id: UUID, conn: Connection, provider_day: ProviderDay) -> None:
    """At the till."""
    order = provider_day.order(source=Source.POS)
    await run(conn, provider_day.race.tenant, ChangeDraft(order_id, order), actor=SYSTEM)


async def line_of(order_id: UUID, provider_day: ProviderDay) -> UUID:
    [row] = await provider_day.race.shop.sql(
        "SELECT id FROM order_lines WHERE tenant_id = $1 AND order_id = $2", order_id
    )
    line_id: UUID = row["id"]
    return line_id


async def test_every_way_of_booking_is_refused_after_a_change_of_hours(empty_dsn: str) -> None:
    """A draft has the time already; the other orders are of the next day."""
    async with new_provider_days(empty_dsn) as (locks, new):
        for way in [online, series, reschedule, drag, edit, confirm, finish]:
            provider_day, is_draft = await new(), way in (confirm, finish)
            order_id = await provider_day.book(locks.command, slot=0 if is_draft else SLOTS_OF_A_DAY, draft=is_draft)
            changed, refused = await meet(locks, provider_day, own_exception, partial(way, order_id))
            assert isinstance(refused, Problem), way
            assert (way, changed, code_of(refused)) == (way, None, Code.TIMESLOT_UNAVAILABLE)
            assert await provider_day.booked(locks.command) == 0
