"""Wraps every request: assigns its id, records it, and turns every exception into an error response."""

import os
import re
import time
import traceback
from collections.abc import Awaitable, Callable
from typing import Any

import asyncpg
import structlog

from frontdesk.errors import Code, WireError, invalid
from frontdesk.http.access_log import RequestRecord, RequestRecorder
from frontdesk.http.body import ClientDisconnected
from frontdesk.http.protocol import RESPOND
from frontdesk.http.request import AppState, Request
from frontdesk.http.responses import EventStream, Response, StreamedResponse
from frontdesk.postgres.pool import PoolTimeout
from frontdesk.postgres.write import Outdated

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
# Includes a shutdown during a statement, an exhausted pool, and a connection that was lost while it was idle. Nothing
# was written, and the request can be retried.
DATABASE_UNAVAILABLE_ERRORS = (
    OSError,
    TimeoutError,
    PoolTimeout,
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.InsufficientResourcesError,
    asyncpg.InterfaceError,
)
_HSTS = "max-age=31536000"
CLIENT_GONE = 499  # in the log only: the client has disconnected
_SANE_ID = re.compile(r"[A-Za-z0-9._\-]{1,128}")
_log = structlog.get_logger("frontdesk.request")


async def handle_request(
    scope: dict[str, Any],
    receive: Callable[[], Awaitable[Any]],
    send: Send,
    resources: AppState,
    recorder: RequestRecorder,
    handle: Handle,
) -> None:
    request = Request(scope, receive, resources, "")
    sent = request.header(b"x-request-id")
    request.request_id = sent if sent and _SANE_ID.fullmatch(sent) else os.urandom(16).hex()
    began = time.perf_counter()
    try:
        response = await _respond(request, handle)
        answered = time.perf_counter()
        if response.status != CLIENT_GONE:
            await _send(request, response, send)
        if not isinstance(response, EventStream):  # which lasts as long as its page is open
            answered = time.perf_counter()
    finally:
        request.release_body()
    recorder.add(
        RequestRecord(
            request.request_id,
            request.known_caller,
            request.route or "unknown",
            response.status,
            time.time(),
            answered - began,
            request.statements,
            request.error,
            request.extra_scope,
            request.token_hash,
        )
    )


async def _respond(request: Request, handle: Handle) -> Response:  # noqa: PLR0911 - one for each kind of failure
    try:
        return await handle(request)
    except ClientDisconnected:
        return Response(b"", CLIENT_GONE)
    except WireError as error:
        if error.status >= 500 and error.code is not Code.SERVICE_UNAVAILABLE:  # overload is not an internal error
            _log.error("failed", request_id=request.request_id, route=request.route, trace=_trace(error))
        return _error_response(request, error)
    except (asyncpg.DataError, asyncpg.UntranslatableCharacterError) as rejected:
        _log.warning(
            "refused by the database", request_id=request.request_id, route=request.route, trace=_trace(rejected)
        )
        return _error_response(request, invalid({"": ["a value is out of range"]}))
    except _TOOK_TOO_LONG as late:
        _log.error("database too slow", request_id=request.request_id, route=request.route, reason=type(late).__name__)
        return _error_response(request, _too_slow())
    except DATABASE_UNAVAILABLE_ERRORS as lost:
        _log.error(
            "database out of reach", request_id=request.request_id, route=request.route, reason=type(lost).__name__
        )
        return _error_response(request, _unavailable())
    except Exception as failure:  # noqa: BLE001 - every failure gets a response and a trace in the log
        _log.error("failed", request_id=request.request_id, route=request.route, trace=_trace(failure))
        message = f"Internal error. Request id: {request.request_id}."
        return _error_response(request, WireError(Code.INTERNAL_ERROR, message))


def _error_response(request: Request, error: WireError) -> Response:
    request.error = error.code
    return request.render_error(error)


def _trace(failure: BaseException | None) -> list[str]:
    """The stack, including the causes. Messages are left out, because they quote values such as phone numbers."""
    lines: list[str] = []
    while failure is not None:
        frames = traceback.extract_tb(failure.__traceback__)
        lines += [type(failure).__name__, *(f"  {frame.name} {frame.filename}:{frame.lineno}" for frame in frames)]
        lines += _database_functions(failure)
        failure = failure.__cause__ or failure.__context__
    return lines


def _database_functions(failure: BaseException) -> list[str]:
    """The database functions in which a statement failed, the innermost first."""
    context = failure.context if isinstance(failure, asyncpg.PostgresError) else None
    return [f"  {line}" for line in (context or "").splitlines() if line.startswith("PL/pgSQL function ")]


def _too_slow() -> WireError:
    return WireError(
        Code.TEMPORARILY_UNAVAILABLE,
        "The request waited too long for a concurrent one. Nothing was changed. Try again.",
        headers={"retry-after": "1"},
    )


def _unavailable() -> WireError:
    return WireError(
        Code.SERVICE_UNAVAILABLE, "The database is unavailable. Try again shortly.", headers={"retry-after": "1"}
    )


async def _send(request: Request, response: Response, send: Send) -> None:
    headers = request.headers
    headers.update(response.headers)
    headers.setdefault("cache-control", "no-store")
    is_streamed = isinstance(response, StreamedResponse)
    if response.status != 204 and not is_streamed:
        headers["content-length"] = str(len(response.body))
    headers["x-request-id"] = request.request_id
    if request.resources.settings.is_https:
        headers["strict-transport-security"] = _HSTS
    head = [*headers.items(), *(("set-cookie", cookie) for cookie in request.cookies)]
    body = b"" if request.scope["method"] == "HEAD" else response.body
    respond = request.scope.get(RESPOND)
    if respond is not None and not is_streamed and respond(response.status, head, body):
        return
    encoded = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in head]
    await send({"type": "http.response.start", "status": response.status, "headers": encoded})
    if isinstance(response, StreamedResponse) and request.scope["method"] != "HEAD":
        async for chunk in response.chunks:
            await send({"type": "http.response.body", "body": chunk, "more_body": True})
    await send({"type": "http.response.body", "body": body})
