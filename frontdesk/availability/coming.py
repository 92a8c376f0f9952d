"""Which coming bookings a change of hours would leave outside the hours, and who else could take a booking."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

from frontdesk.availability.coming_queries import Coming, ComingBooking
from frontdesk.availability.find_slots import calendar_of
from frontdesk.availability.slots import fits, reason, widened
from frontdesk.availability.types import StaffSchedule
from frontdesk.availability.window import DAY, Window, first_bit_after, minute_index, window_of
from frontdesk.values.time import to_local


def find_stranded(
    zone: ZoneInfo, coming: Coming, changed: Callable[[StaffSchedule], StaffSchedule]
) -> list[ComingBooking]:
    """The bookings that are within the hours of their provider now, and no longer after the change."""
    if not coming.bookings:
        return []
    window = _window(zone, coming.bookings)
    now = {id_: calendar_of(schedule, window, 1) for id_, schedule in coming.schedules.items()}
    then = {id_: calendar_of(changed(schedule), window, 1) for id_, schedule in coming.schedules.items()}
    return [
        booking
        for booking in coming.bookings
        if booking.staff_id in now
        and fits(now[booking.staff_id]._replace(booked=0), *_place(window, booking))
        and not fits(then[booking.staff_id]._replace(booked=0), *_place(window, booking))
    ]


def find_replacements(zone: ZoneInfo, coming: Coming, grid: int) -> dict[UUID, list[tuple[UUID, str]]]:
    """For each booking, who else is free at its time."""
    if not coming.bookings:
        return {}
    window = _window(zone, coming.bookings)
    calendars = {id_: calendar_of(schedule, window, grid) for id_, schedule in coming.schedules.items()}
    earliest = first_bit_after(window, datetime.now(UTC))
    found: dict[UUID, list[tuple[UUID, str]]] = {}
    for booking in coming.bookings:
        start, _ = _place(window, booking)
        found[booking.id] = []
        for staff_id, (minutes, name) in booking.others.items():
            if staff_id not in calendars:
                continue
            calendar = widened(calendars[staff_id], booking.buffer_before, booking.buffer_after)
            why = reason(calendar, start, minutes, earliest)
            if why is None or (why == "off_grid" and not booking.is_first):
                found[booking.id].append((staff_id, name))
    return found


def _place(window: Window, booking: ComingBooking) -> tuple[int, int]:
    start = minute_index(window, booking.start)
    return start, minute_index(window, booking.end) - start


def _window(zone: ZoneInfo, bookings: Sequence[ComingBooking]) -> Window:
    first, last = to_local(bookings[0].start, zone).date(), to_local(bookings[-1].end, zone).date()
    return window_of(zone, first, (last - first + timedelta(days=1)).days, DAY)
