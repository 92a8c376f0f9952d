"""Reads an outside calendar in a process of its own, so that a hostile file costs neither the server's time nor memory.

The input is a line of JSON (time zone, first and last instant as seconds), then the file. The output is JSON: the busy
times in seconds, or why there are none.
"""

import asyncio
import json
import resource
import sys
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from frontdesk.icalendar.components import CalendarTooLarge, NotACalendar
from frontdesk.icalendar.read import Period, read_busy_times
from frontdesk.values.time import get_zone

_TIME_LIMIT = 30.0  # seconds until the process is killed; the machine may be busy
_CPU_SECONDS = 15
_MEMORY_BYTES = 768 * 1024 * 1024


class ReadingFailed(Exception):
    """The process was killed or ended with an error: the calendar needs too much time or memory."""


async def read_in_process(content: bytes, timezone: str, between: Period) -> list[list[int]]:
    """Busy times as pairs of seconds. Raises NotACalendar, CalendarTooLarge or ReadingFailed."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "frontdesk.icalendar.reading_process"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    head = json.dumps([timezone, *(round(at.timestamp()) for at in between)]).encode() + b"\n"
    try:
        async with asyncio.timeout(_TIME_LIMIT):
            output, _ = await process.communicate(head + content)
    except TimeoutError as error:
        raise ReadingFailed from error
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
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


def main() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (_CPU_SECONDS, _CPU_SECONDS))
    with suppress(ValueError, OSError):  # macOS has no such limit
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))
    timezone, first, last = json.loads(sys.stdin.buffer.readline())
    between = Period(datetime.fromtimestamp(first, UTC), datetime.fromtimestamp(last, UTC))
    found: object
    try:
        busy = read_busy_times(sys.stdin.buffer.read(), get_zone(timezone), between)
        found = [[round(start.timestamp()), round(end.timestamp())] for start, end in busy]
    except NotACalendar:
        found = "not a calendar"
    except (CalendarTooLarge, OverflowError):
        found = "too large"
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main()
