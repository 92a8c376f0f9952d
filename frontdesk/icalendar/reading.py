"""Reads calendars of others in a process of its own: a hostile file costs neither the server's time nor its memory.

This module does not import the library that reads them, so that only that process loads it.
"""

import json
from datetime import datetime
from typing import Any, NamedTuple

from frontdesk.runtime.limited_process import Limits, ProcessFailed, run_limited

CPU_SECONDS = 15
_TIME_LIMIT = 30.0  # seconds until the process is killed; the machine may be busy


class NotACalendar(ValueError):
    """The text is not an iCalendar file, or is cut off."""


class CalendarTooLarge(ValueError):
    """More events, repetitions or busy times than are read."""


class ReadingFailed(Exception):
    """The process was killed or ended with an error: the calendar needs too much time or memory."""


class Period(NamedTuple):
    """Between two instants."""

    start: datetime
    end: datetime


async def read_in_process(
    content: bytes, timezone: str, between: Period, *, cpu_seconds: int = CPU_SECONDS
) -> list[list[int]]:
    """Busy times as pairs of seconds. Raises NotACalendar, CalendarTooLarge or ReadingFailed."""
    head = json.dumps([timezone, *(round(at.timestamp()) for at in between)]).encode() + b"\n"
    limits = Limits(cpu_seconds, _TIME_LIMIT)
    try:
        output = await run_limited("frontdesk.icalendar.reading_process", limits, content=head + content)
    except ProcessFailed as failed:
        raise ReadingFailed from failed
    return _busy_times(output)


def _busy_times(output: bytes) -> list[list[int]]:
    try:
        found: Any = json.loads(output)
    except ValueError as error:
        raise ReadingFailed from error
    if found == "not a calendar":
        raise NotACalendar
    if found == "too large":
        raise CalendarTooLarge
    busy: list[list[int]] = found
    return busy
