"""The calendar of a day by provider, and single blocks of it for pages that are open."""

from datetime import date, datetime, timedelta
from typing import Annotated, NamedTuple
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.availability.day import NIGHT, clock_of
from frontdesk.http.field_types import CalendarDate
from frontdesk.http.problems import ValueProblem
from frontdesk.http.responses import Response
from frontdesk.problems import Problem
from frontdesk.ui.calendar.address import PATH, CalendarQuery
from frontdesk.ui.calendar.drawing import Column, ProviderDay
from frontdesk.ui.calendar.month import show_month
from frontdesk.ui.calendar.reading import Axis, block_values, read_days
from frontdesk.ui.calendar.selected import read_selected
from frontdesk.ui.calendar.week import show_week
from frontdesk.ui.components.calendar_queries import CalendarOrder
from frontdesk.ui.components.week_scale import Scale
from frontdesk.ui.shell.context import PageContext
from frontdesk.ui.shell.permissions import DIARY_READERS
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.clock import current_time
from frontdesk.values.time import get_zone

pages = Pages()
MAX_ORDERS = 100
_FREE_SHOWN = 4


class BlocksQuery(msgspec.Struct):
    date: CalendarDate | None = None
    orders: Annotated[str, Meta(max_length=37 * MAX_ORDERS)] = ""  # ids, comma separated
    branch: UUID | None = None
    staff: UUID | None = None
    order: UUID | None = None  # the selected one

    def ids(self) -> list[UUID]:
        try:
            found = [UUID(text) for text in self.orders.split(",") if text]
        except ValueError:
            raise Problem(ValueProblem.INVALID, "orders") from None
        if len(found) > MAX_ORDERS:
            raise Problem(ValueProblem.TOO_MANY_ENTRIES, "orders", most=MAX_ORDERS)
        return found


class FreeTime(NamedTuple):
    staff_id: UUID
    name: str
    date: date
    start: str
    minutes: int


@pages.get(PATH, DIARY_READERS)
async def show_calendar(context: PageContext, query: CalendarQuery) -> Response:
    if query.view != "day":
        return await (show_week if query.view == "week" else show_month)(context, query)
    async with context.connection() as conn:
        order = await read_selected(context, conn, query.order) if query.order else None
        day = _day_shown(context, query, order)
        days = await read_days(context, conn, query, [day], selected=order)
    scale = days.scale(margin=1)
    columns = days.columns(scale)
    if order and _is_of_the_night_before(context, order, day, columns):
        return context.redirect(query.link(date=day - timedelta(days=1), order=order.id, undo=query.undo))
    clock = clock_of(get_zone(context.tenant.timezone), day)
    values = block_values(context, query, day)
    return context.render(
        "calendar_day.html",
        query=query,
        day=day,
        before=day - timedelta(days=1),
        after=day + timedelta(days=1),
        today=context.format.today,
        roster=days.roster,
        scale=scale,
        columns=columns,
        order=order,
        axis=Axis(clock, scale, clock.minute(current_time())),
        free=_free_next(days.found, current_time()),
        **values | {"select_link": "?order=", "full_link": values["select_link"]},
    )


@pages.get(f"{PATH}/blocks", DIARY_READERS)
async def show_blocks(context: PageContext, query: BlocksQuery) -> Response:
    """The blocks of some orders on a day. An order that has left the day is absent."""
    day = query.date.day if query.date else context.format.today
    shown = CalendarQuery(query.date, branch=query.branch, staff=query.staff, order=query.order)
    async with context.connection() as conn:
        days = await read_days(context, conn, shown, [day], orders=query.ids())
    columns = days.columns(Scale(0, 30))  # a place does not depend on the hours that are drawn
    return context.render("calendar_blocks.html", columns=columns, **block_values(context, shown, day))


def _day_shown(context: PageContext, query: CalendarQuery, order: CalendarOrder | None) -> date:
    """The links of the blocks leave the day out: it is that of the booking."""
    if query.date:
        return query.date.day
    return context.format.local(order.starts_at).date() if order and order.starts_at else context.format.today


def _is_of_the_night_before(context: PageContext, order: CalendarOrder, day: date, columns: list[Column]) -> bool:
    """A booking after midnight is drawn on the day on which its night began."""
    if order.starts_at is None or any(block.order_id == str(order.id) for column in columns for block in column.blocks):
        return False
    local = context.format.local(order.starts_at)
    return local.date() == day and local.hour * 60 < NIGHT


def _free_next(found: list[ProviderDay], now: datetime) -> list[FreeTime]:
    """The first free time of each provider, from now on."""
    times = []
    for provider in found:
        at = provider.plan.next_free(provider.clock.minute(now) + 1) if provider.plan else None
        if at is not None:
            day = provider.day + timedelta(days=at[0] >= provider.clock.length)  # the night after it
            times.append((at[0], FreeTime(provider.id, provider.name, day, provider.clock.text(at[0]), at[1] - at[0])))
    return [free for _, free in sorted(times, key=lambda pair: pair[0])[:_FREE_SHOWN]]
