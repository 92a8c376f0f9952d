"""The process that reads one calendar, with limits of its own; `reading.py` starts it.

The input is a line of JSON (time zone, first and last instant, in seconds), then the file. The output is JSON:
the busy times in seconds, or why there are none.
"""

import json
import sys
from datetime import UTC, datetime

from frontdesk.icalendar.read import read_busy_times
from frontdesk.icalendar.reading import CalendarTooLarge, NotACalendar, Period
from frontdesk.runtime.limited_process import apply_limits
from frontdesk.values.time import get_zone


def main() -> None:
    apply_limits()
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
