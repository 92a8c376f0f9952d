"""Which coming bookings a change of hours would leave outside the hours, and who else could take a booking."""

import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

from frontdesk.availability.find_slots import calendar_of
from frontdesk.availability.slots import fits, reason, widened
from frontdesk.availability.types import StaffSchedule
from frontdesk.availability.upcoming_queries import (
    BookedTime,
    BookedTimes,
    UpcomingBooking,
    UpcomingBookings,
    booked_times_of,
    schedules_of,
    upcoming_by_id,
)
from frontdesk.availability.window import DAY, Window, first_bit_after, minute_index, window_of
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import fetch
from frontdesk.staff.hour_types import HoursOwner
from frontdesk.values.clock import current_time
from frontdesk.values.tenant_context import TenantContext
from frontdesk.values.time import get_zone, to_local

_MAX_SHOWN = 100


class AffectsBookings(Exception):
    """A change of hours leaves coming bookings outside the hours, and it was not confirmed.

    `bookings` are the first ones of `total`. Who has seen them confirms all of them with the `mark`.
    """

    def __init__(self, bookings: Sequence[UpcomingBooking], total: int, mark: str) -> None:
        super().__init__(f"{total} bookings")
        self.bookings, self.total, self.mark = bookings, total, mark


@asynccontextmanager
async def refuse_affected_bookings(
    conn: Connection, tenant: TenantContext, owner: HoursOwner, confirmed: str
) -> AsyncIterator[None]:
    """Around a change of hours, while the schedules of the owner are locked: no booking can be added meanwhile.

    Raises AffectsBookings if the change leaves bookings outside the hours that were within them, unless the person has
    confirmed the same bookings.
    """
    find = await watch_bookings(conn, tenant, owner)
    yield
    affected = await find() if find else []
    if affected and _mark(affected) != confirmed:
        shown = await first_affected(conn, tenant, affected)
        raise AffectsBookings(shown, len(affected), _mark(affected))


async def watch_bookings(
    conn: Connection, tenant: TenantContext, owner: HoursOwner
) -> Callable[[], Awaitable[list[BookedTime]]] | None:
    """Reads the coming bookings before a change of hours, while the schedules of the owner are locked.

    What it returns finds, after the change, those that were within the hours and no longer are, by their start. None
    if there is no coming booking.
    """
    booked = await fetch(conn, tenant.tenant_id, booked_times_of(staff_id=owner.staff_id, branch_id=owner.branch_id))
    if not booked.times:
        return None

    async def find() -> list[BookedTime]:
        changed = await fetch(conn, tenant.tenant_id, schedules_of(list(booked.schedules), current_time().date()))
        return _find_affected(get_zone(tenant.timezone), booked, changed)

    return find


async def first_affected(
    conn: Connection, tenant: TenantContext, affected: Sequence[BookedTime]
) -> list[UpcomingBooking]:
    return await fetch(conn, tenant.tenant_id, upcoming_by_id([time.id for time in affected[:_MAX_SHOWN]]))


def _mark(affected: Sequence[BookedTime]) -> str:
    """For other bookings, or other times, it is another one."""
    text = " ".join(f"{time.id} {time.start.isoformat()}" for time in affected)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _find_affected(zone: ZoneInfo, booked: BookedTimes, changed: Mapping[UUID, StaffSchedule]) -> list[BookedTime]:
    """The bookings that were within the hours of their provider, and no longer are."""
    window = _window(zone, booked.times)
    before = {id_: calendar_of(schedule, window, 1)._replace(booked=0) for id_, schedule in booked.schedules.items()}
    after = {id_: calendar_of(schedule, window, 1)._replace(booked=0) for id_, schedule in changed.items()}
    return [
        time
        for time in booked.times
        if time.staff_id in before
        and fits(before[time.staff_id], *_start_and_length(window, time))
        and not fits(after[time.staff_id], *_start_and_length(window, time))
    ]


def find_replacements(zone: ZoneInfo, upcoming: UpcomingBookings, grid: int) -> dict[UUID, list[tuple[UUID, str]]]:
    """For each booking, who else is free at its time."""
    if not upcoming.bookings:
        return {}
    window = _window(zone, upcoming.bookings)
    calendars = {id_: calendar_of(schedule, window, grid) for id_, schedule in upcoming.schedules.items()}
    earliest = first_bit_after(window, current_time())
    found: dict[UUID, list[tuple[UUID, str]]] = {}
    for booking in upcoming.bookings:
        start, _ = _start_and_length(window, booking)
        found[booking.id] = []
        for staff_id, (minutes, name) in booking.others.items():
            if staff_id not in calendars:
                continue
            calendar = widened(calendars[staff_id], booking.buffer_before, booking.buffer_after)
            why = reason(calendar, start, minutes, earliest)
            if why is None or (why == "off_grid" and not booking.is_first):
                found[booking.id].append((staff_id, name))
    return found


def _start_and_length(window: Window, booking: UpcomingBooking | BookedTime) -> tuple[int, int]:
    start = minute_index(window, booking.start)
    return start, minute_index(window, booking.end) - start


def _window(zone: ZoneInfo, bookings: Sequence[UpcomingBooking] | Sequence[BookedTime]) -> Window:
    first, last = to_local(bookings[0].start, zone).date(), to_local(bookings[-1].end, zone).date()
    return window_of(zone, first, (last - first + timedelta(days=1)).days, DAY)
