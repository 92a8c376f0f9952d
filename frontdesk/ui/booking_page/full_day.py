"""What is offered in place of a day without a free time: the next days, and others who are free on this one."""

from datetime import timedelta
from typing import NamedTuple
from uuid import UUID

from frontdesk.scheduling.online import WEEK, OpenStart
from frontdesk.ui.booking_page.choice import Choice
from frontdesk.ui.booking_page.context import PublicContext
from frontdesk.ui.booking_page.read_days import read_days
from frontdesk.ui.booking_page.view import WEEKS_AHEAD, WhenView

_NEXT = 3  # days
_OF_OTHERS = 3  # times


class Instead(NamedTuple):
    next_starts: list[OpenStart]  # with the same people, the first of each of the next free days
    of_others: list[OpenStart]  # on the day itself
    link_to_others: str


async def find_instead(
    context: PublicContext, branch_id: UUID, choice: Choice, form_id: UUID, when: WhenView
) -> Instead | None:
    """None if the day has a free time. It is read only when such a day is opened: four weeks cost more than one."""
    if when.parts:
        return None
    day, anyone = when.strip.day, choice.with_anyone()
    after, days = day + timedelta(days=1), WEEK * (WEEKS_AHEAD - 1)
    async with context.connection() as conn:
        same = await read_days(context, conn, branch_id, choice, form_id, after, days)
        others = await read_days(context, conn, branch_id, anyone, form_id, day, 1) if anyone != choice else None
    return Instead(
        same.times(context).first_of_days(after, days, _NEXT),
        list(others.times(context).starts(day))[:_OF_OTHERS] if others else [],
        context.link("", **anyone.on(day).query),
    )
