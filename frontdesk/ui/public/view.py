"""What the booking page shows after the services are chosen: providers with their prices, days, times and terms."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

from frontdesk.orders.online import (
    WEEK,
    ChosenLine,
    OpenDay,
    OpenStart,
    OpenTimes,
    Prices,
    bookable_days,
    look_at_days,
    nearest,
    online_order,
    start_of,
)
from frontdesk.orders.queries.holds import Held, Holds, live_holds
from frontdesk.orders.queries.menu import Menu, MenuProvider
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import fetch
from frontdesk.ui.public.choice import Choice, Chosen
from frontdesk.ui.public.context import PublicContext
from frontdesk.ui.public.days import WeekStrip, by_part_of_day, strip_of

_WEEKS_AHEAD = 5  # searched for the first free time
_ALTERNATIVES = 3


class ProviderChoice(NamedTuple):
    provider: MenuProvider | None  # None: anyone
    choice: Choice
    is_current: bool
    price: Decimal
    is_lowest: bool  # others cost more


class LineProviders(NamedTuple):
    """The providers of one of several services."""

    chosen: Chosen
    providers: list[ProviderChoice]


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


async def read_steps(
    context: PublicContext,
    conn: Connection,
    menu: Menu,
    choice: Choice,
    form_id: UUID,
    *,
    chosen: Sequence[Chosen],
    is_taken: bool,
) -> StepsView:
    """`is_taken`: the page is as if the chosen time had been booked by others, whatever the query returns."""
    now, tenant, rules = datetime.now(UTC), context.tenant, context.business.rules
    if menu.branch is None:
        raise AssertionError("services belong to a branch")
    first, last = bookable_days(tenant, rules, now)
    wanted_day = min(max(choice.day, first), last) if choice.day else None
    begins = first + timedelta(days=((wanted_day or first) - first).days // WEEK * WEEK)
    order = online_order(menu.branch.id, [ChosenLine(*picked) for picked in choice.services], start_of(begins, "00:00"))
    to_read = WEEK if wanted_day else WEEK * _WEEKS_AHEAD
    seen = await fetch(conn, context.tenant_id, look_at_days(order, now, begins, to_read))
    holds: Holds = await fetch(conn, context.tenant_id, live_holds(form_id))
    times = OpenTimes(tenant, order, seen, holds, rules, now)
    wanted = start_of(wanted_day, choice.time) if wanted_day and choice.time else None
    while is_taken and wanted and (found := times.at(wanted)):
        busy = [Held(one.staff_id, one.busy_from, one.busy_until, is_own=False) for one in found.free.assigned]
        holds = [*holds, *busy]
        times = OpenTimes(tenant, order, seen, holds, rules, now)
    week = _first_week(times, begins, last, wanted_day)
    day = _shown_day(week, wanted_day)
    starts = list(times.starts(day.day))
    start = next((each for each in starts if f"{each.local:%H:%M}" == choice.time), None)
    totals = {each.total for each in starts}
    total, is_lowest = (start.total, False) if start else _lowest_total(choice, chosen, times.prices, totals)
    return StepsView(
        providers=_providers(menu, choice, chosen, times.prices),
        by_line=_by_line(menu, choice, chosen, times.prices) if len(chosen) > 1 else [],
        strip=WeekStrip(
            day.day,
            strip_of(week, day.day, lambda to: context.link("", **choice.on(to).query)),
            _week_link(context, choice, week[0].day - timedelta(days=WEEK), first, last),
            _week_link(context, choice, week[0].day + timedelta(days=WEEK), first, last),
        ),
        parts=by_part_of_day(context, starts, lambda each: each.local),
        prices_vary=len(totals) > 1,
        first_free=_first_free(times, week),
        start=start,
        total=total,
        is_lowest=is_lowest,
        deposit=context.business.deposit_of(start.total) if start else None,
        deadline=_deadline(context, start, now) if start else None,
        wanted=wanted,
        alternatives=_alternatives(times, week, starts, wanted) if wanted and start is None else [],
    )


def _first_week(times: OpenTimes, begins: date, last: date, wanted: date | None) -> list[OpenDay]:
    """The week of the wanted day; without one, the first week with a free time."""
    week = times.week(begins)
    if wanted is not None:
        return week
    found = week
    for _ in range(_WEEKS_AHEAD - 1):
        if any(day.many for day in found):
            return found
        begins += timedelta(days=WEEK)
        if begins > last:
            break
        found = times.week(begins)
    return found if any(day.many for day in found) else week


def _shown_day(week: Sequence[OpenDay], wanted: date | None) -> OpenDay:
    """The wanted day even if it is full, else the first with a free time."""
    same = next((day for day in week if day.day == wanted), None)
    return same or next((day for day in week if day.many), week[0])


def _first_free(times: OpenTimes, week: Sequence[OpenDay]) -> datetime | None:
    day = next((one.day for one in week if one.many), None)
    return None if day is None else next((each.local for each in times.starts(day)), None)


def _alternatives(
    times: OpenTimes, week: Sequence[OpenDay], starts: Sequence[OpenStart], wanted: datetime
) -> list[OpenStart]:
    """Of the same day if it has enough, else of the week."""
    if len(starts) >= _ALTERNATIVES:
        return nearest(starts, wanted, _ALTERNATIVES)
    others = [each for each in times.starts(week[0].day, WEEK) if each.local.date() != wanted.date()]
    return nearest([*starts, *others], wanted, _ALTERNATIVES)


def _week_link(context: PublicContext, choice: Choice, day: date, first: date, last: date) -> str | None:
    return context.link("", **choice.on(day).query) if first <= day <= last else None


def _providers(menu: Menu, choice: Choice, chosen: Sequence[Chosen], prices: Prices) -> list[ProviderChoice]:
    """Anyone, and everybody who performs all services."""
    lowest, highest = Decimal(0), Decimal(0)
    for place, each in enumerate(chosen):
        found = [_line_price(prices, len(chosen), place, one.staff_id) for one in each.service.performers]
        lowest, highest = lowest + min(found), highest + max(found)
    performers = [{one.staff_id for one in each.service.performers} for each in chosen]
    current = {picked.staff_id for picked in choice.services}
    listed = [ProviderChoice(None, choice.with_provider(None), current == {None}, lowest, lowest != highest)]
    for provider in menu.providers:
        if all(provider.id in one for one in performers):
            total = prices((provider.id,) * len(chosen)).total
            is_current = current == {provider.id}
            listed.append(ProviderChoice(provider, choice.with_provider(provider.id), is_current, total, False))  # noqa: FBT003
    return listed


def _by_line(menu: Menu, choice: Choice, chosen: Sequence[Chosen], prices: Prices) -> list[LineProviders]:
    lines = []
    for place, each in enumerate(chosen):
        picked = choice.services[place].staff_id
        found = [
            (menu.provider(one.staff_id), _line_price(prices, len(chosen), place, one.staff_id))
            for one in each.service.performers
        ]
        least = min(price for _, price in found)
        vary = any(price != least for _, price in found)
        anyone = ProviderChoice(None, choice.with_provider(None, place), picked is None, least, vary)
        own = [
            ProviderChoice(provider, choice.with_provider(provider.id, place), picked == provider.id, price, False)  # noqa: FBT003
            for provider, price in found
            if provider is not None
        ]
        lines.append(LineProviders(each, [anyone, *own]))
    return lines


def _line_price(prices: Prices, many: int, place: int, staff_id: UUID) -> Decimal:
    staff = tuple(staff_id if n == place else None for n in range(many))
    return prices(staff).lines[place].net_amount


def _lowest_total(
    choice: Choice, chosen: Sequence[Chosen], prices: Prices, totals: set[Decimal]
) -> tuple[Decimal | None, bool]:
    """Of the providers who may perform the services, and whether others cost more. None: the day has no time."""
    if not totals:
        return None, False
    cheapest: list[UUID] = []
    varies = len(totals) > 1
    for place, each in enumerate(chosen):
        picked = choice.services[place].staff_id
        staff = [picked] if picked else [one.staff_id for one in each.service.performers]
        found = {one: _line_price(prices, len(chosen), place, one) for one in staff}
        cheapest.append(min(found, key=found.__getitem__))
        varies = varies or len(set(found.values())) > 1
    return (prices(tuple(cheapest)).total if varies else min(totals)), varies


def _deadline(context: PublicContext, start: OpenStart, now: datetime) -> Deadline:
    moment = start.free.assigned[0].start - timedelta(hours=context.business.rules.cancellation_hours)
    return Deadline(moment, moment <= now)
