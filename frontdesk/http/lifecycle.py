"""Wraps every request: assigns its id, records it, and turns every exception into an error response."""

import os
import re
import time
from collections.abc import Awaitable, Callable
from typing import Any

import asyncpg
import structlog

from frontdesk.http.access_log import RequestRecord
from frontdesk.http.app_state import AppState
from frontdesk.http.body import ClientDisconnected
from frontdesk.http.errors import Code, WireError
from frontdesk.http.problems import BodyProblem, ServiceProblem
from frontdesk.http.protocol import LAST, PAUSE, TRANSPORT, is_gone
from frontdesk.http.refusals import count_refusal
from frontdesk.http.request import CONNECTION_WAIT_SECONDS, Request, Surface
from frontdesk.http.responses import (
    EventStream,
    LostResponse,
    Response,
    StreamedResponse,
    encode_headers,
    with_safe_headers,
)
from frontdesk.http.writes import sent_key
from frontdesk.postgres.failures import UNAVAILABLE, count_write_failure, trace
from frontdesk.postgres.pool import PoolFull
from frontdesk.postgres.write import Outdated
from frontdesk.problems import Problem, Refusal
from frontdesk.runtime.current_work import current_work
from frontdesk.runtime.tracing import tracing
from frontdesk.values.clock import follow_clock

Send = Callable[[Any], Awaitable[None]]
Handle = Callable[[Request], Awaitable[Response]]

# A lock or statement timeout, a deadlock, or a conflict with concurrent writes on every attempt.
_TOOK_TOO_LONG = (
    asyncpg.LockNotAvailableError,
    asyncpg.QueryCanceledError,
    asyncpg.DeadlockDetectedError,
    asyncpg.SerializationError,
    Outdated,
)
_HSTS = "max-age=31536000"
CLIENT_GONE = 499  # in the log only: the client has disconnected
REQUEST_ID = re.compile(r"[A-Za-z0-9._\-]{1,128}")
_log = structlog.get_logger("frontdesk.request")


async def handle_request(
    scope: dict[str, Any],
    receive: Callable[[], Awaitable[Any]],
    send: Send,
    resources: AppState,
    handle: Handle,
    json: Surface,
) -> None:
    """`json` says what is wrong, unless a page does."""
    request = Request(scope, receive, resources, "")
    sent = request.header(b"x-request-id")
    request.request_id = sent if sent and REQUEST_ID.fullmatch(sent) else os.urandom(16).hex()
    current_work.set(request)
    follow_clock(None)
    if tracing.tracer is not None:
        request.span = tracing.tracer.begin_request(request.header(b"traceparent"))
    recorder = resources.recorder
    recorder.running.add(request)
    began = time.perf_counter()
    try:
        response = await _respond(request, handle, json)
        await _note_write(request)
        answered = time.perf_counter()
        if response.status != CLIENT_GONE:
            await _send(request, response, send)
        if not isinstance(response, EventStream):  # which lasts as long as its page is open
            answered = time.perf_counter()
    finally:
        request.release_body()
        recorder.running.discard(request)
    if tracing.tracer is not None:
        tracing.tracer.end_request(request.span, request.route or "unknown", response.status, request.request_id)
    recorder.add(_record(request, response.status, answered - began))


def _record(request: Request, status: int, seconds: float) -> RequestRecord:
    is_write = request.writes and not request.is_dry_run
    return RequestRecord(
        request.request_id,
        request.known_caller,
        request.tenant_id,
        request.route or "unknown",
        status,
        time.time(),
        seconds,
        request.statements,
        request.error,
        tuple(request.extra_scopes),
        request.token_hash,
        request.path,
        sent_key(request) if is_write else None,
        request.database_seconds,
        request.creates if is_write else None,
        request.created_id if is_write and request.creates is not None else None,
        request.is_replayed,
        request.is_dry_run,
        request.refusal,
        request.customers,
    )


async def _respond(request: Request, handle: Handle, json: Surface) -> Response:
    try:
        with request.limit:
            return await handle(request)
    except ClientDisconnected:
        return Response(b"", CLIENT_GONE)
    except Exception as failure:  # noqa: BLE001 - every failure gets a response and a trace in the log
        # A page needs more memory than may be left.
        surface = json if request.page is None or isinstance(failure, MemoryError) else request.page()
        error = _error(request, surface, failure)
        if isinstance(failure, Refusal) and error.status >= 500 and error.code is not Code.SERVICE_UNAVAILABLE:
            _log.error("failed", **request.about(), trace=trace(failure))
        request.error, request.refusal = error.code, error
        return surface.render_error(request, error)


def _error(request: Request, surface: Surface, failure: Exception) -> WireError:
    if isinstance(failure, WireError):
        count_refusal(failure.__cause__, failure.status)
        return failure
    problem = _problem(request, failure)
    error = surface.error(problem)
    count_refusal(problem, error.status)
    return error


async def _note_write(request: Request) -> None:
    """If it cannot be noted, the primary is out of reach, which every read would need as well."""
    try:
        await request.note_write()
    except (*UNAVAILABLE, asyncpg.PostgresError) as failure:
        _log.error("write not noted", request_id=request.request_id, reason=type(failure).__name__)


def _problem(request: Request, failure: Exception) -> Problem:  # noqa: PLR0911 - one for each kind of failure
    about = request.about()
    match failure:
        case Problem():
            return failure
        case asyncpg.DataError() | asyncpg.UntranslatableCharacterError():
            _log.warning("refused by the database", **about, trace=trace(failure))
            return Problem(BodyProblem.OUT_OF_RANGE)
        case PoolFull():
            pause = request.scope.get(PAUSE)
            if pause is not None:
                pause()
            return Problem(ServiceProblem.TOO_MANY_WAITING, seconds=1)
        case MemoryError():
            _log.error("out of memory", **about)  # without a trace, which reads files
            return Problem(ServiceProblem.TOO_MANY_BODIES, seconds=1)
        case _ if isinstance(failure, _TOOK_TOO_LONG):
            _log.error("database too slow", **about, reason=type(failure).__name__)
            return Problem(ServiceProblem.CONCURRENT, seconds=1)
        case _ if isinstance(failure, UNAVAILABLE) and request.limit.has_passed:
            _log.error("request took too long", **about)
            return Problem(ServiceProblem.TOO_LONG, seconds=1)  # what was written stays; an Idempotency-Key finds it
        case _ if isinstance(failure, UNAVAILABLE):
            event = "database cannot write" if count_write_failure(failure) else "database out of reach"
            _log.error(event, **about, reason=type(failure).__name__)
            return Problem(ServiceProblem.DATABASE_UNAVAILABLE, seconds=1)
        case _:
            _log.error("failed", **about, trace=trace(failure))
            return Problem(ServiceProblem.INTERNAL, request_id=request.request_id)


async def _send(request: Request, response: Response, send: Send) -> None:
    if isinstance(response, LostResponse):
        await _cut_off(request)
        return
    headers = with_safe_headers({**request.headers, **response.headers})
    headers.setdefault("cache-control", "no-store")
    if response.status != 204 and not isinstance(response, StreamedResponse):
        headers["content-length"] = str(len(response.body))
    headers["x-request-id"] = request.request_id
    if request.resources.settings.is_https:
        headers["strict-transport-security"] = _HSTS
    if LAST in request.scope:
        headers["connection"] = "close"
    head = [*headers.items(), *(("set-cookie", cookie) for cookie in request.cookies)]
    body = b"" if request.scope["method"] == "HEAD" else response.body
    await send({"type": "http.response.start", "status": response.status, "headers": encode_headers(head)})
    if isinstance(response, StreamedResponse) and request.scope["method"] != "HEAD":
        try:
            await _send_chunks(request, response, send)
        except Exception as failure:  # noqa: BLE001 - the head is sent: no failure can be answered any more
            is_known = isinstance(failure, (*_TOOK_TOO_LONG, *UNAVAILABLE))
            details = {"reason": type(failure).__name__} if is_known else {"trace": trace(failure)}
            _log.error("response cut off", **request.about(), **details)
            await _cut_off(request)
            return
    await send({"type": "http.response.body", "body": body})


async def _send_chunks(request: Request, response: StreamedResponse, send: Send) -> None:
    async for chunk in response.chunks:
        request.wait = CONNECTION_WAIT_SECONDS  # for each part
        await send({"type": "http.response.body", "body": chunk, "more_body": True})
        if is_gone(request.scope):
            return


async def _cut_off(request: Request) -> None:
    """Ends the connection, so that the client sees that the response is not whole."""
    if TRANSPORT in request.scope:
        request.scope[TRANSPORT].close()
        while (await request.receive())["type"] != "http.disconnect":  # else uvicorn logs that the response has no end
            pass
