"""Fetches a calendar elsewhere and reads its busy times. Nothing about it is trusted."""

import hashlib
import random
import zlib
from base64 import b64encode
from datetime import timedelta
from urllib.parse import urljoin

import msgspec

from frontdesk.calendar_sync.external_calendar_queries import DueCalendar
from frontdesk.calendar_sync.problems import FetchProblem
from frontdesk.icalendar.reading import CalendarTooLarge, NotACalendar, Period, ReadingFailed, read_in_process
from frontdesk.net.outbound_http import HostRejected, OutboundClient, OutboundResponse, RequestFailed, ResponseTooLong
from frontdesk.net.safe_url import ParsedUrl, UrlRejected, parse_url
from frontdesk.problems import Problem
from frontdesk.runtime.slow_work import READING
from frontdesk.security.encryption import DecryptionFailed, SecretBox
from frontdesk.values.clock import current_time

PAUSE = 15 * 60.0  # seconds between two fetches
_MAX_PAUSE = 6 * 3600.0
_MAX_BYTES = 4 * 1024 * 1024
_TIME_LIMIT = 20.0
_MAX_REDIRECTS = 3
_PAST, _AHEAD = timedelta(days=1), timedelta(days=400)
_READ_AGAIN = timedelta(hours=20)  # repeated events are expanded anew
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_HEADERS = {
    "accept": "text/calendar, */*;q=0.1",
    "accept-encoding": "gzip",
    "user-agent": "Frontdesk-Calendars/1.0",
}


class FetchFailed(Problem):
    """Shown to the owner of the calendar."""


class Fetched(msgspec.Struct, frozen=True):
    """The argument of `store_external_busy`. `busy` is None if the calendar has not changed."""

    staff_id: str
    version: int
    pause: float
    etag: str | None
    last_modified: str | None
    content_hash: str | None = None
    busy: list[list[int]] | None = None


def pause_after(failures: int) -> float:
    """Random, so that the calendars of one server are not all fetched at once."""
    return min(PAUSE * 2.0**failures, _MAX_PAUSE) * random.uniform(0.8, 1.2)  # noqa: S311 - no secret


async def fetch_calendar(calendar: DueCalendar, client: OutboundClient, secret_box: SecretBox) -> Fetched:
    now = current_time()
    is_fresh = calendar.parsed_at is not None and now - calendar.parsed_at < _READ_AGAIN
    response = await _get(calendar, client, secret_box, conditional=is_fresh)
    unchanged = Fetched(
        str(calendar.staff_id),
        calendar.version,
        pause_after(0),
        response.headers.get("etag", calendar.etag),
        response.headers.get("last-modified", calendar.last_modified),
    )
    if response.status == 304 and is_fresh:
        return unchanged
    if response.status != 200:
        raise FetchFailed(FetchProblem.ANSWERS_STATUS, status=response.status)
    content = _decoded(response)
    content_hash = hashlib.sha256(calendar.timezone.encode() + b"\n" + content).digest()
    if is_fresh and content_hash == calendar.content_hash:
        return unchanged
    return msgspec.structs.replace(
        unchanged,
        content_hash=b64encode(content_hash).decode(),
        busy=await _read(calendar, content, Period(now - _PAST, now + _AHEAD)),
    )


async def _get(
    calendar: DueCalendar, client: OutboundClient, secret_box: SecretBox, *, conditional: bool
) -> OutboundResponse:
    headers = dict(_HEADERS)
    if conditional and calendar.etag:
        headers["if-none-match"] = calendar.etag
    elif conditional and calendar.last_modified:
        headers["if-modified-since"] = calendar.last_modified
    try:
        address = secret_box.decrypt(calendar.url_secret).decode()
    except DecryptionFailed:
        raise FetchFailed(FetchProblem.NOT_DECRYPTED) from None
    for _ in range(_MAX_REDIRECTS + 1):
        target = _target(address)
        response = await _send(client, target, headers)
        if response.status not in _REDIRECTS:
            return response
        address = _next_address(address, response.headers.get("location", ""))
        if target.scheme == "https" and not address.startswith("https:"):
            raise FetchFailed(FetchProblem.NOT_ENCRYPTED)
    raise FetchFailed(FetchProblem.TOO_MANY_REDIRECTS)


def _next_address(address: str, location: str) -> str:
    try:
        return urljoin(address, location)
    except ValueError:
        raise FetchFailed(FetchProblem.UNUSABLE) from None


def _target(address: str) -> ParsedUrl:
    try:
        return parse_url(address)
    except UrlRejected:
        raise FetchFailed(FetchProblem.UNUSABLE) from None


async def _send(client: OutboundClient, target: ParsedUrl, headers: dict[str, str]) -> OutboundResponse:
    try:
        return await client.get(target, headers, limit=_TIME_LIMIT, max_bytes=_MAX_BYTES)
    except ResponseTooLong:
        raise FetchFailed(FetchProblem.TOO_LARGE) from None
    except HostRejected:
        raise FetchFailed(FetchProblem.NOT_PUBLIC) from None
    except RequestFailed:
        raise FetchFailed(FetchProblem.NO_ANSWER) from None


def _decoded(response: OutboundResponse) -> bytes:
    """A small answer may hold a very large file, so it is unpacked only as far as is read."""
    encoding = response.headers.get("content-encoding", "").strip().lower()
    if encoding in ("", "identity"):
        return response.body
    if encoding not in ("gzip", "x-gzip"):
        raise FetchFailed(FetchProblem.NO_CALENDAR)
    try:
        unpacked = zlib.decompressobj(wbits=31).decompress(response.body, _MAX_BYTES + 1)
    except zlib.error:
        raise FetchFailed(FetchProblem.NO_CALENDAR) from None
    if len(unpacked) > _MAX_BYTES:
        raise FetchFailed(FetchProblem.TOO_LARGE)
    return unpacked


async def _read(calendar: DueCalendar, content: bytes, between: Period) -> list[list[int]]:
    try:
        async with READING.turn(calendar.tenant_id):
            return await read_in_process(content, calendar.timezone, between)
    except NotACalendar:
        raise FetchFailed(FetchProblem.NO_CALENDAR) from None
    except (CalendarTooLarge, ReadingFailed):
        raise FetchFailed(FetchProblem.TOO_LARGE) from None
