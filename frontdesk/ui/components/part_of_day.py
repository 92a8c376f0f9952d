from frontdesk.i18n.texts import N_

_PARTS_OF_DAY = ((5, N_("After midnight")), (12, N_("Morning")), (17, N_("Afternoon")), (24, N_("Evening")))


def part_of_day(hour: int) -> str:
    return next(name for until, name in _PARTS_OF_DAY if hour < until)
