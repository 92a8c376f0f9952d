"""The available starts of one provider, and why the others are unavailable. Pure functions on bit masks."""

from collections.abc import Iterator
from datetime import date
from itertools import groupby
from typing import Literal, NamedTuple

from frontdesk.availability.window import LocalDay, Window, bits_of_day, span, wall_clock

Reason = Literal["past", "outside_working_hours", "time_off", "booked", "off_grid"]
DayReason = Literal["closed_day", "no_working_hours", "inactive_service"]


class Calendar(NamedTuple):
    """One provider's minutes in a window; `opened` and `grid` come from `hours.open_and_grid`."""

    opened: int
    grid: int
    time_off: int
    booked: int


class RejectedRange(NamedTuple):
    """Consecutive starts of the grid that are unavailable for the same reason."""

    reason: Reason
    first: str
    last: str


class DayExplanation(NamedTuple):
    reason: DayReason | None
    refusals: list[RejectedRange]


def starts(calendar: Calendar, length: int, earliest: int) -> int:
    """Starts on the grid, not before bit `earliest`, from which `length` minutes are open and free."""
    return not_before(start_mask(calendar, length), earliest)


def start_mask(calendar: Calendar, length: int) -> int:
    return free_starts(calendar, length) & calendar.grid


def free_starts(calendar: Calendar, length: int) -> int:
    """Minutes, on the grid or not, from which `length` minutes are open and free."""
    return _runs_of_length(_free(calendar), length)


def not_before(mask: int, earliest: int) -> int:
    return mask >> earliest << earliest if earliest else mask


def fits(calendar: Calendar, start: int, length: int) -> bool:
    """For the later lines of an order, which follow one another and may be off the grid."""
    whole = span(0, length)
    if start < 0 or calendar.opened >> start & whole != whole:
        return False
    return not (calendar.time_off | calendar.booked) >> start & whole


def free_minutes(calendar: Calendar, start: int) -> int:
    """For how long the provider stays free from then on."""
    rest = _free(calendar) >> start
    return (~rest & (rest + 1)).bit_length() - 1


def nearest(mask: int, around: int, count: int) -> list[int]:
    """The set bits closest to `around`, in order of time; the earlier one of two at the same distance."""
    found: list[int] = []
    below, above = mask & span(0, max(around, 0)), mask >> max(around, 0) << max(around, 0)
    while len(found) < count and (below or above):
        low, high = below.bit_length() - 1, (above & -above).bit_length() - 1
        if above == 0 or (below and around - low <= high - around):
            found.append(low)
            below ^= 1 << low
        else:
            found.append(high)
            above ^= 1 << high
    return sorted(found)


def reason(calendar: Calendar, start: int, length: int, earliest: int) -> Reason | None:
    """Why a start is unavailable, or None if it is available.

    The first reason that applies: the past, then working hours and time off, which do not depend on other bookings,
    then bookings, and last the grid, which matters only if the time is free.
    """
    return next(reasons(calendar, start, length, earliest), None)


def reasons(calendar: Calendar, start: int, length: int, earliest: int) -> Iterator[Reason]:
    """All reasons why a start is unavailable."""
    if start < earliest:
        yield "past"
    whole = span(0, length)
    is_open = calendar.opened >> start & whole == whole
    if not is_open:
        yield "outside_working_hours"
    if calendar.time_off >> start & whole:
        yield "time_off"
    if calendar.booked >> start & whole:
        yield "booked"
    if is_open and not calendar.grid >> start & 1:
        yield "off_grid"


def explain_by_day(
    window: Window, calendar: Calendar, closed: frozenset[date], length: int, earliest: int
) -> dict[str, DayExplanation]:
    """By local day, why starts of the grid are unavailable; the reason of the whole day if it has no grid."""
    layers = _layers(calendar, length, earliest)
    return {
        day.name: DayExplanation(_day_reason(day, calendar, closed), list(_rejected_ranges(day, calendar.grid, layers)))
        for day in window.days
    }


def _layers(calendar: Calendar, length: int, earliest: int) -> list[tuple[Reason, int]]:
    """The starts that each reason excludes. Later ones overwrite earlier ones."""
    grid = calendar.grid
    without_bookings = _free(calendar._replace(booked=0))
    return [
        ("booked", grid & ~_runs_of_length(_free(calendar), length)),
        ("time_off", grid & ~_runs_of_length(without_bookings, length)),
        ("outside_working_hours", grid & ~_runs_of_length(calendar.opened, length)),
        ("past", grid & span(0, earliest)),
    ]


def _day_reason(day: LocalDay, calendar: Calendar, closed: frozenset[date]) -> DayReason | None:
    if day.date in closed:
        return "closed_day"
    return None if calendar.grid & span(day.start, day.end) else "no_working_hours"


def _rejected_ranges(day: LocalDay, grid: int, layers: list[tuple[Reason, int]]) -> Iterator[RejectedRange]:
    why = {bit: name for name, ruled_out in layers for bit in bits_of_day(ruled_out, day)}
    for name, group in groupby(bits_of_day(grid, day), key=why.get):
        if name is not None:
            bits = list(group)
            yield RejectedRange(name, wall_clock(day, bits[0]), wall_clock(day, bits[-1]))


def widened(calendar: Calendar, before: int, after: int) -> Calendar:
    """For a service with buffers: it needs as much distance from bookings as if each of them took the buffers too.

    Working hours and time off limit the service alone.
    """
    if not calendar.booked or not (before or after):
        return calendar
    return calendar._replace(booked=_spread(calendar.booked, before + after) >> after)


def _spread(mask: int, minutes: int) -> int:
    """Also sets the `minutes` bits above each bit."""
    done = 0
    while done < minutes:
        step = min(done + 1, minutes - done)
        mask |= mask << step
        done += step
    return mask


def _free(calendar: Calendar) -> int:
    busy = calendar.time_off | calendar.booked
    return calendar.opened ^ (calendar.opened & busy)


def _runs_of_length(free: int, length: int) -> int:
    """Bits that begin a run of `length` set bits; each step doubles the length that is known to be set."""
    proven = 1
    while proven < length:
        step = min(proven, length - proven)
        free &= free >> step
        proven += step
    return free
