"""The parts of a day, in words."""

from frontdesk.i18n.texts import N_
from frontdesk.waiting_list.types import PartOfDay

_PARTS_OF_DAY = ((5, N_("After midnight")), (12, N_("Morning")), (17, N_("Afternoon")), (24, N_("Evening")))
# Of the waiting list.
PARTS: dict[PartOfDay, str] = {
    PartOfDay.ANY: N_("Any time of the day"),
    PartOfDay.MORNING: N_("Morning"),
    PartOfDay.AFTERNOON: N_("Afternoon"),
    PartOfDay.EVENING: N_("Evening"),
}


def part_of_day(hour: int) -> str:
    return next(name for until, name in _PARTS_OF_DAY if hour < until)
