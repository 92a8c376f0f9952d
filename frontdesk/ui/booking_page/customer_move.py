"""Moving one's own booking: a week of days, and the free times of one of them."""

from datetime import date, datetime, timedelta
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_
from frontdesk.postgres.query import fetch
from frontdesk.scheduling.customer_booking import MoveOwnBooking, find_move_refusal, last_free_moment, with_same_price
from frontdesk.scheduling.customer_booking_queries import CustomerBooking
from frontdesk.scheduling.customer_times import free_week, nearest_starts, order_in_week
from frontdesk.scheduling.hold_queries import live_holds
from frontdesk.scheduling.online import WEEK, OpenDay
from frontdesk.ui.booking_page.choice import day_of
from frontdesk.ui.booking_page.context import PublicContext
from frontdesk.ui.booking_page.customer_booking import (
    PATH,
    PERSONAL,
    CustomerBookingQuery,
    find_booking,
    render_booking,
)
from frontdesk.ui.booking_page.days import WeekStrip, by_part_of_day, strip_of
from frontdesk.ui.booking_page.turns import COMPUTING, consume_visit
from frontdesk.ui.shell.permissions import PUBLIC
from frontdesk.ui.shell.problems import page_problem
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.clock import current_time

pages = Pages(PublicContext)


class MoveQuery(msgspec.Struct):
    date: Annotated[str, Meta(max_length=40)] = ""
    anyone: Literal["yes"] | None = None


class CustomerMoveForm(msgspec.Struct):
    version: int
    start: Annotated[str, Meta(max_length=40)] = ""  # a local time
    day: Annotated[str, Meta(max_length=40)] = ""  # that is shown
    anyone: bool = False


@pages.get(PATH + "/move", PUBLIC)
async def show_move(context: PublicContext, slug: str, code: str, query: MoveQuery | None = None) -> Response:
    booking = await find_booking(context, slug, code)
    now, business = current_time(), context.business
    if find_move_refusal(business, booking, now) is not None:
        return render_booking(context, booking, CustomerBookingQuery())
    consume_visit(context.tenant_id, context.request.address)
    with_anyone = (query.anyone if query else context.form.value("anyone") or None) is not None
    wanted = _start(context.form.value("start"))
    today = context.format.local(now).date()
    shown = day_of(query.date if query else context.form.value("day"))
    chosen = _within(wanted.date() if wanted else shown, booking, context, today)
    first = today + timedelta(days=(chosen - today).days // WEEK * WEEK)
    async with context.connection() as conn:
        order = await fetch(conn, context.tenant_id, order_in_week(booking.id, first, now))
        holds = await fetch(conn, context.tenant_id, live_holds())
    async with COMPUTING.turn(context.tenant_id):
        week = free_week(business, order, holds, first, now, with_anyone=with_anyone)
    day = next(free_day for free_day in week if free_day.day == chosen)
    last = today + timedelta(days=business.rules.horizon_days)

    def link(to: date, *, anyone: bool = with_anyone) -> str:
        return context.link(f"/{booking.code}/move", date=to, anyone="yes" if anyone else None)

    response = context.render(
        "customer_move.html",
        booking=booking,
        branch=booking.branch,
        limit=last_free_moment(booking.starts_at, business.rules),
        now_at=context.format.local(booking.starts_at),
        with_anyone=with_anyone,
        has_others=any(len(service.candidates) > 1 for service in with_same_price(order.booked)),
        has_other_prices=with_same_price(order.booked) != order.booked,
        link=link,
        strip=WeekStrip(
            chosen,
            strip_of([OpenDay(free_day.day, len(free_day.starts), free_day.why) for free_day in week], chosen, link),
            link(first - timedelta(days=WEEK)) if first > today else None,
            link(first + timedelta(days=WEEK)) if first + timedelta(days=WEEK) <= last else None,
        ),
        parts=by_part_of_day(context, day.starts, lambda start: start),
        next_free=next((free_day.day for free_day in week if free_day.starts), None),
        nearest=nearest_starts(week, wanted) if wanted else [],
    )
    response.headers.update(PERSONAL)
    return response


@pages.post(PATH + "/move", PUBLIC, on_error=show_move)
async def move_customer_booking(context: PublicContext, slug: str, code: str, form: CustomerMoveForm) -> Response:
    booking = await find_booking(context, slug, code)
    start = _start(form.start)
    if start is None:
        raise page_problem(N_("Choose a time."), "start")
    holds = await context.fetch(live_holds())
    act = MoveOwnBooking(context.business, booking.id, start, form.version, holds, form.anyone)
    await context.run(act)
    return context.redirect(context.link(f"/{booking.code}", moved=1))


def _start(text: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(text).replace(tzinfo=None, second=0, microsecond=0)
    except ValueError:
        return None
    return found if day_of(found.date().isoformat()) else None


def _within(wanted: date | None, booking: CustomerBooking, context: PublicContext, today: date) -> date:
    """The wanted day, or that of the booking, if customers can book it; else the nearest that they can."""
    last = today + timedelta(days=context.business.rules.horizon_days)
    return min(max(wanted or context.format.local(booking.starts_at).date(), today), last)
