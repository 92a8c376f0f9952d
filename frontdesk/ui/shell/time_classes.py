"""The classes that place something by its time, and the rules of these classes: pages have no inline styles.

`from-9-15` is 09:15, in steps of five minutes since midnight; `from-25` is 01:00 of the next day.
"""

from collections.abc import Iterator

STEP = 5  # minutes
MAX_HOUR = 30  # what lies after six in the morning is cut off
_SHORTEST = 6  # hours that are shown at least


def start_class(minutes: int) -> str:
    return _class("from", minutes)


def place_classes(start: int, end: int) -> str:
    return f"{_class('from', start // STEP * STEP)} {_class('to', -(-end // STEP) * STEP)}"


def scale_classes(first: int, last: int) -> str:
    """Of a calendar or a track, from its first hour to its last."""
    return f"first-{first} hours-{last - first}"


def _class(side: str, minutes: int) -> str:
    hour = f"{side}-{minutes // 60}"
    return f"{hour}-{minutes % 60}" if minutes % 60 else hour


def time_rules() -> str:
    return "\n".join(_rules())


def _rules() -> Iterator[str]:
    for side in ("from", "to"):
        steps = range(0, MAX_HOUR * 60 + 1, STEP)
        yield from (f".{_class(side, minutes)}{{--{side}:{minutes}}}" for minutes in steps)
    for scale in (".calendar{}", ".track{}:not(rect)"):  # charts have tracks that are drawn
        yield from (f"{scale.format(f'.first-{hour}')}{{--first-hour:{hour}}}" for hour in range(24))
        hours = range(_SHORTEST, MAX_HOUR + 1)
        yield from (f"{scale.format(f'.hours-{count}')}{{--hours:{count}}}" for count in hours)
