"""The calendar feed of a staff member or a branch, as calendar programs read it. It needs no session."""

import asyncio
import re
from datetime import datetime, timedelta
from email.utils import format_datetime
from uuid import UUID

from frontdesk.auth.rate_limit import seconds_until
from frontdesk.calendar_sync.feed_queries import FeedAnswer, note_read, read_feed
from frontdesk.calendar_sync.feeds import tenant_of_feed
from frontdesk.calendar_sync.problems import FeedProblem
from frontdesk.calendar_sync.types import CustomerNames, FeedBooking, FeedContent, FeedTimeOff
from frontdesk.http.request import Request
from frontdesk.http.responses import Response
from frontdesk.i18n.texts import N_, translate
from frontdesk.icalendar.event import Event
from frontdesk.icalendar.write import write_calendar
from frontdesk.postgres.query import fetch
from frontdesk.problems import Problem, or_not_found
from frontdesk.security.secrets import hash_secret
from frontdesk.values.clock import current_time
from frontdesk.values.time import get_zone

ROUTE = "GET /feeds/{secret}.ics"
REFRESH_MINUTES = 15
_PAST, _AHEAD = timedelta(days=30), timedelta(days=400)
_TAG = re.compile(r'"([^"]*)"')
_FORM = "1"  # of the written calendar; changes when the same content is written in another way
_ARTICLE = re.compile(r"^(?:ال(?=\w)|[Aa]l[- ])")  # half of all Arabic family names begin with it
_TIME_OFF = N_("Time off")


async def calendar_feed(request: Request) -> Response:
    secret = request.path.removeprefix("/feeds/")
    tenant_id = tenant_of_feed(secret.removesuffix(".ics")) if secret.endswith(".ics") else None
    answer = or_not_found(
        None if tenant_id is None else await _read(request, tenant_id, secret.removesuffix(".ics")), "calendar"
    )
    if answer.blocked_until is not None:
        raise Problem(FeedProblem.READ_TOO_OFTEN, seconds=seconds_until(answer.blocked_until))
    headers = {
        "etag": f'"{_FORM}-{answer.content_hash}"',
        "cache-control": "private, no-cache",
        "x-content-type-options": "nosniff",
        "x-robots-tag": "noindex, nofollow",
    }
    if answer.content is None:
        return Response(b"", 304, headers)
    headers["last-modified"] = format_datetime(_changed_at(answer.content), usegmt=True)
    headers["content-disposition"] = 'inline; filename="calendar.ics"'
    # In a thread, because the feed of a large branch takes tenths of a second.
    written = await asyncio.to_thread(write_feed, answer.content, request.origin)
    return Response(written, 200, headers, "text/calendar; charset=utf-8")


async def _read(request: Request, tenant_id: UUID, secret: str) -> FeedAnswer | None:
    midnight = current_time().replace(hour=0, minute=0, second=0, microsecond=0)  # the same content for a day
    secret_hash = hash_secret(secret)
    query = read_feed(secret_hash, midnight - _PAST, midnight + _AHEAD, _known(request))
    request.claim_turn(secret_hash)
    async with request.connection() as conn:
        answer = await fetch(conn, tenant_id, query)
        if answer is not None and answer.notes_read and answer.blocked_until is None:
            await note_read(conn, tenant_id, answer.feed_id)
    request.confirm_turn(secret_hash, None if answer is None else ("feeds", tenant_id))
    return answer


def _known(request: Request) -> list[str]:
    tags = _TAG.findall(request.header(b"if-none-match") or "")
    return [tag.removeprefix(f"{_FORM}-") for tag in tags if tag.startswith(f"{_FORM}-")]


def write_feed(content: FeedContent, origin: str) -> bytes:
    events = [_booking(booking, content, origin) for booking in content.bookings]
    events += [_time_off(time_off, content) for time_off in content.time_off]
    name = content.business if content.is_branch and content.owner == content.business else content.owner
    if name != content.business:
        name = f"{name} – {content.business}"
    return write_calendar(events, name=name, zone=get_zone(content.timezone), refresh_minutes=REFRESH_MINUTES)


def _booking(booking: FeedBooking, content: FeedContent, origin: str) -> Event:
    parts = [shown_name(booking.first_name, booking.last_name, content.customer_names), _localized(booking, content)]
    summary = " · ".join(part for part in parts if part)
    return Event(
        f"{booking.id}@frontdesk",
        booking.version,
        booking.starts_at,
        booking.ends_at,
        get_zone(content.timezone),
        f"{summary} ({booking.staff})" if content.is_branch else summary,
        booking.changed_at,
        location=", ".join(part for part in (content.branch, content.address) if part),
        url=f"{origin}/orders/{booking.order_id}",
    )


def _time_off(time_off: FeedTimeOff, content: FeedContent) -> Event:
    words = translate(content.language, _TIME_OFF)
    return Event(
        f"{time_off.id}@frontdesk",
        time_off.version,
        time_off.starts_at,
        time_off.ends_at,
        get_zone(content.timezone),
        f"{words} ({time_off.staff})" if content.is_branch else words,
        time_off.changed_at,
    )


def shown_name(first: str | None, last: str | None, how: CustomerNames) -> str:
    """As much of the name of a customer as the business shows outside."""
    if how == "none" or not first:
        return ""
    if how == "full":
        return f"{first} {last}" if last else first
    initial = _ARTICLE.sub("", last or "")[:1]
    return f"{first} {initial}." if initial else first


def _localized(booking: FeedBooking, content: FeedContent) -> str:
    names = booking.service
    found = (names[code] for code in (content.language, *content.languages) if names.get(code))
    return next(found, next(iter(names.values()), ""))


def _changed_at(content: FeedContent) -> datetime:
    return max(
        [content.changed_at, *(b.changed_at for b in content.bookings), *(t.changed_at for t in content.time_off)]
    )
