"""The day as a list to print: each provider with their bookings, by time."""

from datetime import date
from typing import NamedTuple

from frontdesk.http.responses import Response
from frontdesk.ui.calendar.address import PATH, CalendarQuery
from frontdesk.ui.calendar.drawing import ProviderDay
from frontdesk.ui.calendar.reading import read_days
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import DIARY_READERS
from frontdesk.ui.shell.routing import Pages

pages = Pages()


class ListedBooking(NamedTuple):
    start: str
    end: str
    customer: str | None
    services: list[str]
    status: str
    is_extra: bool


@pages.get(f"{PATH}/list", DIARY_READERS)
async def show_day_list(context: PageContext, query: CalendarQuery) -> Response:
    day: date = query.date.day if query.date else context.format.today
    async with context.connection() as conn:
        days = await read_days(context, conn, query, [day])
    branch = next((one.name for one in days.roster.branches if one.id == days.roster.branch_id), "")
    return context.render(
        "calendar_list.html",
        query=query,
        day=day,
        branch=branch if len(days.roster.branches) > 1 else "",
        providers=[(found.name, _bookings(found)) for found in days.found],
    )


def _bookings(found: ProviderDay) -> list[ListedBooking]:
    return [
        ListedBooking(
            found.clock.text(span.start),
            found.clock.text(span.end),
            span.first.customer,
            span.services,
            span.first.status,
            span.first.is_extra,
        )
        for span in sorted(found.spans, key=lambda span: span.start)
        if span.first.status != "canceled"
    ]
