"""Times of the day as people type them."""

import re
from typing import Annotated

from msgspec import Meta

from frontdesk.i18n.texts import N_
from frontdesk.staff.hour_types import DAY
from frontdesk.ui.shell.problems import page_problem
from frontdesk.values.text import ascii_digits

WEEKDAY_DIGITS = frozenset("0123456")
Weekday = Annotated[int, Meta(ge=0, le=6)]
TimeText = Annotated[str, Meta(max_length=20)]
_TIME = re.compile(r"([0-9]{1,2})(?:[:.]?([0-9]{2}))?\s*(am|pm|ص|م)?", re.IGNORECASE)
_HALF = 12
_TIME_ERROR = N_("Enter a time such as 09:30.")


def read_time(text: str, *at: str | int) -> int:
    """A minute of the day, from "9", "9:30", "21.30" or "9 pm". 24:00 is minute 1440."""
    found = _TIME.fullmatch(ascii_digits(text.strip()))
    if found is None:
        raise page_problem(_TIME_ERROR, *at)
    hour, minute, half = int(found[1]), int(found[2] or 0), (found[3] or "").lower()
    if half and not 1 <= hour <= _HALF:
        raise page_problem(_TIME_ERROR, *at)
    if half:
        hour = hour % _HALF + (_HALF if half in ("pm", "م") else 0)
    if minute > 59 or hour * 60 + minute > DAY:
        raise page_problem(_TIME_ERROR, *at)
    return hour * 60 + minute
