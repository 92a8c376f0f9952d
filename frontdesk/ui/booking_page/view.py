"""What the booking page shows after the services are chosen: providers with their prices, days, times and terms."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

from frontdesk.orders.queries.order_context import OrderInputs
from frontdesk.orders.types import OrderRequest
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import fetch
from frontdesk.scheduling.hold_queries import Holds, live_holds
from frontdesk.scheduling.online import (
    WEEK,
    ChosenLine,
    OpenDay,
    OpenStart,
    OpenTimes,
    bookable_days,
    days_inputs,
    online_order,
    start_of,
)
from frontdesk.ui.booking_page.choice import Choice, Chosen
from frontdesk.ui.booking_page.context import PublicContext
from frontdesk.ui.booking_page.days import WeekStrip, by_part_of_day, strip_of
from frontdesk.ui.booking_page.providers import (
    LineProviders,
    ProviderChoice,
    line_prices,
    lowest_total,
    providers_by_line,
    providers_of_all,
)
from frontdesk.ui.components.menu_queries import Menu

_WEEKS_AHEAD = 5  # searched for the first free time
_ALTERNATIVES = 3


class Deadline(NamedTuple):
    """Until when the booking can be moved and canceled."""

    moment: datetime
    is_past: bool


class StepsView(NamedTuple):
    providers: list[ProviderChoice]
    by_line: list[LineProviders]  # of several services
    strip: WeekStrip
    parts: list[tuple[str, list[OpenStart]]]  # by part of the day
    prices_vary: bool
    first_free: datetime | None
    start: OpenStart | None  # the chosen one
    total: Decimal | None
    is_lowest: bool  # the total: no time is chosen, and others cost more
    deposit: Decimal | None
    deadline: Deadline | None
    wanted: datetime | None  # the chosen time, free or not
    alternatives: list[OpenStart]  # to a chosen time that is not free

    @property
    def is_taken(self) -> bool:
        return self.wanted is not None and self.start is None


class StepsData(NamedTuple):
    """What is read for the steps: the days from `begins` on, of the bookable ones from `first` to `last`."""

    order: OrderRequest
    inputs: OrderInputs
    holds: Holds
    now: datetime
    first: date
    last: date
    begins: date
    wanted: date | None


async def read_steps(
    context: PublicContext, conn: Connection, branch_id: UUID, choice: Choice, form_id: UUID
) -> StepsData:
    now = datetime.now(UTC)
    first, last = bookable_days(context.tenant, context.business.rules, now)
    wanted = min(max(choice.day, first), last) if choice.day else None
    begins = first + timedelta(days=((wanted or first) - first).days // WEEK * WEEK)
    order = online_order(branch_id, [ChosenLine(*picked) for picked in choice.services], start_of(begins, "00:00"))
    to_read = WEEK if wanted else WEEK * _WEEKS_AHEAD
    inputs = await fetch(conn, context.tenant_id, days_inputs(order, now, begins, to_read))
    holds: Holds = await fetch(conn, context.tenant_id, live_holds(form_id))
    return StepsData(order, inputs, holds, now, first, last, begins, wanted)


def make_steps(
    context: PublicContext, menu: Menu, choice: Choice, chosen: Sequence[Chosen], data: StepsData
) -> StepsView:
    first, last, now = data.first, data.last, data.now
    wanted = start_of(data.wanted, choice.time) if data.wanted and choice.time else None
    times = OpenTimes(context.tenant, data.order, data.inputs, data.holds, context.business.rules, now)
    week = _first_week(times, data.begins, last, data.wanted)
    day = _shown_day(week, data.wanted)
    starts = list(times.starts(day.day))
    start = next((open_start for open_start in starts if f"{open_start.local:%H:%M}" == choice.time), None)
    totals = {open_start.total for open_start in starts}
    prices = line_prices(chosen, times.prices)
    total, is_lowest = (start.total, False) if start else lowest_total(choice, prices, times.prices, totals)
    return StepsView(
        providers=providers_of_all(context, menu, choice, prices),
        by_line=providers_by_line(context, menu, choice, chosen, prices) if len(chosen) > 1 else [],
        strip=WeekStrip(
            day.day,
            strip_of(week, day.day, lambda to: context.link("", **choice.on(to).query)),
            _week_link(context, choice, week[0].day - timedelta(days=WEEK), first, last),
            _week_link(context, choice, week[0].day + timedelta(days=WEEK), first, last),
        ),
        parts=by_part_of_day(context, starts, lambda open_start: open_start.local),
        prices_vary=len(totals) > 1,
        first_free=_first_free(times, week, starts),
        start=start,
        total=total,
        is_lowest=is_lowest,
        deposit=context.business.deposit_of(start.total) if start else None,
        deadline=_deadline(context, start, now) if start else None,
        wanted=wanted,
        alternatives=times.nearest(wanted, week[0].day, _ALTERNATIVES) if wanted and start is None else [],
    )


def _first_week(times: OpenTimes, begins: date, last: date, wanted: date | None) -> list[OpenDay]:
    """The week of the wanted day; without one, the first week with a free time."""
    week = times.week(begins)
    if wanted is not None:
        return week
    found = week
    for _ in range(_WEEKS_AHEAD - 1):
        if any(day.start_count for day in found):
            return found
        begins += timedelta(days=WEEK)
        if begins > last:
            break
        found = times.week(begins)
    return found if any(day.start_count for day in found) else week


def _shown_day(week: Sequence[OpenDay], wanted: date | None) -> OpenDay:
    """The wanted day even if it is full, else the first with a free time."""
    same = next((day for day in week if day.day == wanted), None)
    return same or next((day for day in week if day.start_count), week[0])


def _first_free(times: OpenTimes, week: Sequence[OpenDay], shown: Sequence[OpenStart]) -> datetime | None:
    day = next((open_day.day for open_day in week if open_day.start_count), None)
    if day is None:
        return None
    starts = shown if shown and shown[0].local.date() == day else times.starts(day)
    return next((start.local for start in starts), None)


def _week_link(context: PublicContext, choice: Choice, day: date, first: date, last: date) -> str | None:
    return context.link("", **choice.on(day).query) if first <= day <= last else None


def _deadline(context: PublicContext, start: OpenStart, now: datetime) -> Deadline:
    moment = start.free.assigned[0].start - timedelta(hours=context.business.rules.cancellation_hours)
    return Deadline(moment, moment <= now)
