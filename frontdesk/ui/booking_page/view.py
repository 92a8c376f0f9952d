"""What the booking page shows after the services are chosen: with whom, when, or what the chosen time costs."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

from frontdesk.orders.pricing import Priced
from frontdesk.postgres.pool import Connection
from frontdesk.scheduling.online import (
    WEEK,
    FirstStart,
    OpenDay,
    OpenStart,
    OpenTimes,
    bookable_days,
    start_of,
)
from frontdesk.ui.booking_page.choice import Choice, Chosen, question_of
from frontdesk.ui.booking_page.context import PublicContext
from frontdesk.ui.booking_page.days import WeekStrip, by_part_of_day, strip_of
from frontdesk.ui.booking_page.providers import (
    LinePrices,
    LineProviders,
    ProviderChoice,
    line_prices,
    lowest_price,
    providers_by_line,
    providers_of_all,
)
from frontdesk.ui.booking_page.read_days import ReadDays, read_days
from frontdesk.ui.components.menu_queries import Menu
from frontdesk.values.clock import current_time
from frontdesk.values.time import last_of_month
from frontdesk.values.week import week_of

WEEKS_AHEAD = 5  # searched for the first free time
_ALTERNATIVES = 3


class Deadline(NamedTuple):
    """Until when the booking can be moved and canceled."""

    moment: datetime
    is_past: bool


class Sum(NamedTuple):
    """What the booking costs: at the chosen time, before that at least."""

    priced: Priced
    is_lowest: bool  # others cost more
    deposit: Decimal | None


class WhoView(NamedTuple):
    providers: list[ProviderChoice]  # of all services
    by_line: list[LineProviders]  # of each, if that is asked


class WhenView(NamedTuple):
    strip: WeekStrip
    parts: list[tuple[str, list[OpenStart]]]  # by part of the day
    prices_vary: bool
    alternatives: list[OpenStart]  # to a chosen time that is not free


class StepsView(NamedTuple):
    """One question, and what is known when it is asked."""

    sum: Sum
    wanted: datetime | None  # the chosen time, free or not
    start: OpenStart | None  # the chosen time, if it is free
    deadline: Deadline | None
    who: WhoView | None = None
    when: WhenView | None = None

    @property
    def is_taken(self) -> bool:
        return self.wanted is not None and self.start is None


class StepsData(NamedTuple):
    """What is read for the steps: the days from `begins` on, of the bookable ones from `first` to `last`."""

    read: ReadDays
    first: date
    last: date
    begins: date
    days: int  # that are shown
    wanted: date | None


async def read_steps(
    context: PublicContext, conn: Connection, branch_id: UUID, choice: Choice, form_id: UUID
) -> StepsData:
    first, last = bookable_days(context.tenant, context.business.rules, current_time())
    wanted = min(max(choice.day, first), last) if choice.day else None
    begins, days = _shown_days(choice.month, wanted, first, last)
    to_read = days if wanted or choice.month else WEEK * WEEKS_AHEAD
    read = await read_days(context, conn, branch_id, choice, form_id, begins, to_read)
    return StepsData(read, first, last, begins, days, wanted)


def _shown_days(month: date | None, wanted: date | None, first: date, last: date) -> tuple[date, int]:
    """The month as far as it can be booked, or the week of the wanted day."""
    if month is None:
        return first + timedelta(days=((wanted or first) - first).days // WEEK * WEEK), WEEK
    begins = min(max(month, first), last)
    return begins, (min(last_of_month(begins), last) - begins).days + 1


def make_steps(
    context: PublicContext,
    menu: Menu,
    choice: Choice,
    chosen: Sequence[Chosen],
    data: StepsData,
    *,
    is_taken: bool,
) -> StepsView:
    """`is_taken`: the chosen time was refused, whatever the calendars say."""
    wanted = start_of(data.wanted, choice.time) if data.wanted and choice.time else None
    times = data.read.times(context)
    start = times.at(wanted) if wanted and data.wanted == choice.day and not is_taken else None
    prices = line_prices(chosen, times.prices)
    priced, is_lowest = (start.priced, False) if start else lowest_price(choice, prices, times.prices)
    view = StepsView(
        Sum(priced, is_lowest, context.business.deposit_of(priced.total)),
        wanted,
        start,
        _deadline(context, start, data.read.now) if start else None,
    )
    if start:
        return view
    if question_of(choice, chosen) == "who":
        return view._replace(who=_who(context, menu, choice, chosen, data, times, prices))
    return view._replace(when=_when(context, choice, data, times, wanted))


def _who(
    context: PublicContext,
    menu: Menu,
    choice: Choice,
    chosen: Sequence[Chosen],
    data: StepsData,
    times: OpenTimes,
    prices: LinePrices,
) -> WhoView:
    if choice.step == "each":
        return WhoView([], providers_by_line(context, menu, choice, chosen, prices))
    first = _first_week(times, data.begins, data.last, None)[0].day
    searched = (data.begins - first).days + WEEK * WEEKS_AHEAD
    anyone = FirstStart(times.first_start(first), is_away=False)
    first_free = times.first_starts(first, searched)
    return WhoView(providers_of_all(context, menu, choice, prices, anyone, first_free), [])


def _when(
    context: PublicContext, choice: Choice, data: StepsData, times: OpenTimes, wanted: datetime | None
) -> WhenView:
    if choice.month:
        shown = times.open_days(data.begins, data.days)
    else:
        shown = _first_week(times, data.begins, data.last, data.wanted)
    day = _shown_day(shown, data.wanted)
    starts = list(times.starts(day.day))
    return WhenView(
        _strip(context, choice, data, shown, day.day),
        by_part_of_day(context, starts, lambda open_start: open_start.local),
        len({open_start.total for open_start in starts}) > 1,
        times.nearest(wanted, shown[0].day, _ALTERNATIVES) if wanted else [],
    )


def _strip(context: PublicContext, choice: Choice, data: StepsData, shown: Sequence[OpenDay], day: date) -> WeekStrip:
    begins, ends = shown[0].day, shown[-1].day
    days = strip_of(shown, day, lambda to: context.link("", **choice.on(to).query))
    one = timedelta(days=1)
    if choice.month:
        earlier, later = choice.in_month(begins - one), choice.in_month(ends + one)
        columns = week_of(context.tenant.timezone, begins)
    else:
        earlier, later = choice.on(begins - timedelta(days=WEEK)), choice.on(ends + one)
        columns = []
    return WeekStrip(
        day,
        days,
        context.link("", **earlier.query) if begins > data.first else None,
        context.link("", **later.query) if ends < data.last else None,
        columns,
    )


def _first_week(times: OpenTimes, begins: date, last: date, wanted: date | None) -> list[OpenDay]:
    """The week of the wanted day; without one, the first week with a free time."""
    week = times.open_days(begins)
    if wanted is not None:
        return week
    found = week
    for _ in range(WEEKS_AHEAD - 1):
        if any(day.start_count for day in found):
            return found
        begins += timedelta(days=WEEK)
        if begins > last:
            break
        found = times.open_days(begins)
    return found if any(day.start_count for day in found) else week


def _shown_day(week: Sequence[OpenDay], wanted: date | None) -> OpenDay:
    """The wanted day even if it is full, else the first with a free time."""
    same = next((day for day in week if day.day == wanted), None)
    return same or next((day for day in week if day.start_count), week[0])


def _deadline(context: PublicContext, start: OpenStart, now: datetime) -> Deadline:
    moment = start.free.assigned[0].start - timedelta(hours=context.business.rules.cancellation_hours)
    return Deadline(moment, moment <= now)
