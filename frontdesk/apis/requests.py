"""What happened to a request, in both APIs.

Three places know: the request log, which is written in batches; this process, for what it works on and what it has not
written yet; and what is stored under an Idempotency-Key, which is written with the act.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Annotated, NamedTuple
from uuid import UUID

import msgspec
from msgspec import Meta

from frontdesk.auth.request_log import EVERY_SECONDS
from frontdesk.auth.request_reports import (
    KnownRequests,
    RequestLine,
    RequestReport as Found,
    RequestState,
    find_key_state,
    line_of,
    report_key,
    report_request,
    report_running,
    requests_query,
)
from frontdesk.auth.types import Caller
from frontdesk.http.access_log import DELAY
from frontdesk.http.errors import doc_url
from frontdesk.http.pagination import DataResponse
from frontdesk.http.request import Request
from frontdesk.http.responses import Response, json_response
from frontdesk.http.writes import sent_key
from frontdesk.problems import not_found
from frontdesk.values.api_types import Timestamp, Url
from frontdesk.values.time import format_utc

_REQUESTS = "/requests"
Addresses = Mapping[str, str]  # of records that can be read one by one, by their type
# After this time other processes have written what they had answered before.
_WRITTEN_SECONDS = EVERY_SECONDS + 2 * DELAY


class RequestKeyQuery(msgspec.Struct):
    idempotency_key: Annotated[str, Meta(min_length=1, max_length=255, pattern="^[!-~]+$")]


class RequestError(msgspec.Struct):
    code: str
    message: str | None
    field: str | None
    errors: dict[str, list[str]]
    doc_url: Url


class CreatedRecord(msgspec.Struct):
    type: str
    id: str
    url: Url | None


class RequestTiming(msgspec.Struct):
    total_ms: float | None
    database_ms: float | None
    statements: int | None


class RequestAttempt(msgspec.Struct):
    request_id: str
    received_at: Timestamp
    status: int | None
    replayed: bool


class RequestReport(msgspec.Struct):
    state: RequestState
    request_id: str | None
    idempotency_key: str | None
    operation: str | None
    path: str | None
    received_at: Timestamp | None
    status: int | None
    error: RequestError | None
    created: list[CreatedRecord]
    replayed: bool
    dry_run: bool
    timing: RequestTiming
    attempts: list[RequestAttempt]


async def answer_request(request: Request, request_id: str, addresses: Addresses) -> Response:
    for seconds in (0, _WRITTEN_SECONDS):
        await asyncio.sleep(seconds)
        known = await _known(request, request_id, None)
        found = report_request(request_id, known)
        if found is not None:
            return json_response(DataResponse(_published(found, request, addresses)))
    raise not_found("request")


async def answer_key(request: Request, key: str, addresses: Addresses) -> Response:
    """An answer that says what is stored is right at once; only details of another process are waited for."""
    found: Found | None = None
    for seconds in (0, _WRITTEN_SECONDS):
        await asyncio.sleep(seconds)
        known = await _known(request, None, key)
        if known.stored is None:
            async with request.connection() as conn:
                state = await find_key_state(conn, request.caller.tenant_id, request.caller.id, key)
            if state == "stored":
                known = await _known(request, None, key)
            elif state == "held" or any(line.status is None for line in known.lines):
                found = report_running(key, known)
                break
        found = report_key(key, known)
        is_whole = found is not None and (found.line is not None or known.stored is None or not known.stored.is_new)
        if is_whole:
            break
    if found is None:
        raise not_found("request")
    return json_response(DataResponse(_published(found, request, addresses)))


async def _known(request: Request, request_id: str | None, key: str | None) -> KnownRequests:
    """This process is asked first: what it writes meanwhile is found in the database then."""
    lines = list(_of_this_process(request, request_id, key))
    of_key = key or next((noted.line.idempotency_key for noted in lines if noted.line.idempotency_key), None)
    known = await request.fetch(requests_query(request_id, of_key))
    caller = request.caller
    return known.with_lines(noted.line for noted in lines if noted.is_of(caller))


class _Noted(NamedTuple):
    line: RequestLine
    is_of: Callable[[Caller], bool]  # the caller is known only after the database was asked


def _of_this_process(request: Request, request_id: str | None, key: str | None) -> Iterator[_Noted]:
    recorder = request.resources.recorder
    for entry in recorder.unwritten():
        if (entry.request_id == request_id) if key is None else (entry.idempotency_key == key):
            yield _Noted(line_of(entry), partial(_is_caller, entry.tenant_id, entry.caller_id))
    for running in recorder.running:
        if running is not request and (running.request_id == request_id if key is None else _key_of(running) == key):
            yield _Noted(_running_line(running), partial(_is_sent_by, running, request))


def _key_of(running: Request) -> str | None:
    return sent_key(running) if running.writes and not running.is_dry_run else None


def _running_line(running: Request) -> RequestLine:
    return RequestLine(
        running.request_id,
        datetime.fromtimestamp(running.began, UTC),
        running.route,
        status=None,
        idempotency_key=_key_of(running),
        is_dry_run=running.is_dry_run,
    )


_CREDENTIALS = (b"authorization", b"x-api-key")


def _is_caller(tenant_id: UUID, caller_id: UUID, caller: Caller) -> bool:
    return (caller.tenant_id, caller.id) == (tenant_id, caller_id)


def _is_sent_by(running: Request, asking: Request, caller: Caller) -> bool:
    """A request that is not authenticated yet is known by its credential, if it is that of the one that asks."""
    known = running.known_caller
    if known is not None:
        return _is_caller(known.tenant_id, known.id, caller)
    sent = [running.header(name) for name in _CREDENTIALS]
    return any(sent) and sent == [asking.header(name) for name in _CREDENTIALS]


def _published(found: Found, request: Request, addresses: Addresses) -> RequestReport:
    line, prefix = found.line, request.path[: request.path.index(_REQUESTS)]
    method, _, route = ("" if line is None else line.route).partition(" ")
    operation = f"{method} {route.removeprefix(prefix)}" if route else None
    return RequestReport(
        state=found.state,
        request_id=None if line is None else line.request_id,
        idempotency_key=found.key,
        operation=operation,
        path=None if line is None else line.path or route or None,
        received_at=None if line is None else format_utc(line.received_at),
        status=found.status,
        error=None if line is None or found.state is not RequestState.FAILED else _error(line, request.origin),
        created=_created(found, request.origin + prefix, addresses),
        replayed=line is not None and bool(line.is_replayed),
        dry_run=line is not None and bool(line.is_dry_run),
        timing=_timing(line),
        attempts=[_attempt(attempt) for attempt in found.attempts],
    )


def _error(line: RequestLine, origin: str) -> RequestError | None:
    if line.error is None:
        return None
    answered = line.answered
    errors = {} if answered is None else answered.errors
    return RequestError(
        line.error,
        None if answered is None else answered.message,
        next(iter(errors), None),
        errors,
        doc_url(origin, line.error),
    )


def _created(found: Found, api: str, addresses: Addresses) -> list[CreatedRecord]:
    if found.created_type is None or found.created_id is None:
        return []
    path = addresses.get(found.created_type)
    url = None if path is None else f"{api}{path}/{found.created_id}"
    return [CreatedRecord(found.created_type, str(found.created_id), url)]


def _timing(line: RequestLine | None) -> RequestTiming:
    if line is None:
        return RequestTiming(None, None, None)
    return RequestTiming(_milliseconds(line.microseconds), _milliseconds(line.database_microseconds), line.statements)


def _milliseconds(microseconds: int | None) -> float | None:
    return None if microseconds is None else round(microseconds / 1000, 2)


def _attempt(line: RequestLine) -> RequestAttempt:
    return RequestAttempt(line.request_id, format_utc(line.received_at), line.status, bool(line.is_replayed))
