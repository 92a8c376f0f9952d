"""A customer's own booking, at an address that cannot be guessed: what it is, the calendar, and its cancellation."""

import re
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Literal

import msgspec

from frontdesk.auth.throttle import consume_attempt_or_raise, subject
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_, translate
from frontdesk.icalendar.write import write_calendar
from frontdesk.net.addresses import address_prefix
from frontdesk.orders.types import Status
from frontdesk.postgres.query import fetch
from frontdesk.problems import not_found
from frontdesk.scheduling.customer_booking import (
    CancelOwnBooking,
    ChangeRefusal,
    find_cancel_refusal,
    find_move_refusal,
    last_free_moment,
)
from frontdesk.scheduling.customer_booking_queries import CustomerBooking, find_customer_booking
from frontdesk.scheduling.customer_times import free_week, order_in_week, same_time_on_other_days
from frontdesk.scheduling.hold_queries import live_holds
from frontdesk.ui.booking_page.calendar_links import calendar_event, google_link, map_link, outlook_link, to_phone_link
from frontdesk.ui.booking_page.choice import WITHOUT, Choice, Picked
from frontdesk.ui.booking_page.context import PublicContext
from frontdesk.ui.shell.permissions import PUBLIC
from frontdesk.ui.shell.routing import Pages
from frontdesk.values.clock import current_time

pages = Pages(PublicContext)
PATH = "/book/{slug}/{code}"
WRONG_CODES = 30  # a minute from one address
_CODE = re.compile("[0-9A-HJKMNP-TV-Z]{16}")
_MISREAD = str.maketrans("ILO", "110")  # letters that the code does not have, because they look like digits
# No copy stays on a computer that others use, and search engines leave it out.
PERSONAL = {"x-robots-tag": "noindex, nofollow", "cache-control": "no-store"}
REASONS = {
    "plan": N_("Plans have changed"),
    "elsewhere": N_("Booked somewhere else"),
    "ill": N_("Not well"),
}


class CustomerBookingQuery(msgspec.Struct):
    booked: Literal["1"] | None = None  # opened right after booking
    moved: Literal["1"] | None = None


class CancelForm(msgspec.Struct):
    version: int
    why: Literal["", "plan", "elsewhere", "ill"] = ""


async def find_booking(context: PublicContext, slug: str, code: str) -> CustomerBooking:
    """404 for every code that leads nowhere. Only such tries are limited: neighbours of a guesser find their own."""
    await context.open_business(slug, must_be_open=False)
    code = code.upper().translate(_MISREAD)
    booking = find_customer_booking(code, context.language)
    async with context.connection() as conn:
        found = await fetch(conn, context.tenant_id, booking) if _CODE.fullmatch(code) else None
        if found is None:
            guesser = subject("booking code", address_prefix(context.request.address))
            await consume_attempt_or_raise(conn, guesser, WRONG_CODES)
            raise not_found("booking")
    return found


@pages.get(PATH, PUBLIC)
async def show_customer_booking(
    context: PublicContext, slug: str, code: str, query: CustomerBookingQuery | None = None
) -> Response:
    booking = await find_booking(context, slug, code)
    free = await _free_soon(context, booking) if booking.status is Status.CANCELED and context.business.is_open else []
    return render_booking(context, booking, query or CustomerBookingQuery(), free)


async def _free_soon(context: PublicContext, booking: CustomerBooking) -> Sequence[tuple[datetime, str]]:
    """Free times for the services of a canceled booking, each with the address at which it can be booked."""
    now = current_time()
    today, clock = context.format.local(now).date(), context.format.local(booking.starts_at).time()
    async with context.connection() as conn:
        order = await fetch(conn, context.tenant_id, order_in_week(booking.id, today, now))
        holds = await fetch(conn, context.tenant_id, live_holds())
    week = free_week(context.business, order, holds, today, now, with_anyone=False)
    found = same_time_on_other_days(week, clock)
    same = _same_services(booking)
    choices = (same.on(start.date(), f"{start:%H:%M}") for start in found)
    return [(start, context.link("", **choice.query)) for start, choice in zip(found, choices, strict=True)]


def _same_services(booking: CustomerBooking) -> Choice:
    services = tuple(
        Picked(service.item_id, service.option_ids[0] if service.option_ids else WITHOUT, service.staff_id)
        for service in booking.services
    )
    return Choice(booking.branch.id, services, step="when")


@pages.get(PATH + "/again", PUBLIC)
async def book_again(context: PublicContext, slug: str, code: str) -> Response:
    """The free times of the same services with the same people. Mails lead here too."""
    booking = await find_booking(context, slug, code)
    response = context.redirect(context.link("", **_same_services(booking).query))
    response.headers.update(PERSONAL)
    return response


def render_booking(
    context: PublicContext,
    booking: CustomerBooking,
    query: CustomerBookingQuery,
    free: Sequence[tuple[datetime, str]] = (),
) -> Response:
    now, business = current_time(), context.business
    limit = last_free_moment(booking.starts_at, business.rules)
    url = f"{context.request.origin}{context.link(f'/{booking.code}')}"
    event = calendar_event(context, booking, url)
    response = context.render(
        "customer_booking_canceled.html" if booking.status is Status.CANCELED else "customer_booking.html",
        booking=booking,
        branch=booking.branch,
        map_link=map_link(booking.branch),
        limit=limit,
        hours_left=int((limit - now).total_seconds() // 3600),
        hours_in_all=max(int((limit - booking.created_at).total_seconds() // 3600), 1),
        move_refusal=find_move_refusal(business, booking, now),
        cancel_refusal=find_cancel_refusal(business, booking, now),
        refusals=ChangeRefusal,
        reasons=REASONS,
        free=free,
        sends_mail=context.request.resources.settings.smtp is not None,
        just_booked=query.booked is not None,
        just_moved=query.moved is not None,
        payment=context.format.localized(business.settings.payment_instructions) if booking.remaining else "",
        deposit=_asked_deposit(context, booking),
        google=google_link(event),
        outlook=outlook_link(event),
        to_phone=to_phone_link(event, context.format.day_and_time(booking.starts_at)),
    )
    response.headers.update(PERSONAL)
    return response


def _asked_deposit(context: PublicContext, booking: CustomerBooking) -> Decimal | None:
    """As the form said it, until something is paid."""
    is_due = booking.is_online and booking.status is Status.CONFIRMED and not booking.paid_amount
    return context.business.deposit_of(booking.total) if is_due else None


@pages.get(PATH + "/calendar.ics", PUBLIC)
async def download_calendar(context: PublicContext, slug: str, code: str) -> Response:
    booking = await find_booking(context, slug, code)
    event = calendar_event(context, booking, f"{context.request.origin}{context.link(f'/{booking.code}')}")
    headers = {
        **PERSONAL,
        "content-disposition": f'attachment; filename="booking-{booking.number}.ics"',
        "x-content-type-options": "nosniff",
    }
    return Response(write_calendar([event], "PUBLISH"), 200, headers, "text/calendar; charset=utf-8")


@pages.post(PATH + "/cancel", PUBLIC, on_error=show_customer_booking)
async def cancel_customer_booking(context: PublicContext, slug: str, code: str, form: CancelForm) -> Response:
    booking = await find_booking(context, slug, code)
    reason = translate(context.tenant.languages[0], REASONS[form.why]) if form.why else None  # for the team
    await context.run(CancelOwnBooking(context.business, booking.id, form.version, reason))
    return context.redirect(context.link(f"/{booking.code}"))
