"""Around every request: an id, a note of what happened, and an answer in our form whatever that was."""

import os
import re
import time
import traceback
from collections.abc import Awaitable, Callable
from functools import cache
from typing import Any

import asyncpg
import structlog

from frontdesk.errors import Code, WireError, invalid
from frontdesk.http.access_log import Note, Records
from frontdesk.http.body import ClientGone
from frontdesk.http.request import Call, Resources
from frontdesk.http.responses import Answer
from frontdesk.postgres.pool import DatabaseBusy

Send = Callable[[Any], Awaitable[None]]
Handle = Callable[[Call], Awaitable[Answer]]

# A lock or a statement took too long, or the database chose this transaction to end a deadlock.
_TOOK_TOO_LONG = (
    asyncpg.LockNotAvailableError,
    asyncpg.QueryCanceledError,
    asyncpg.DeadlockDetectedError,
    asyncpg.SerializationError,
)
# Also a shutdown in the middle of a statement, no connection left, and a connection that broke while it was idle:
# nothing was written, and the same request may be sent again.
_OUT_OF_REACH = (
    OSError,
    TimeoutError,
    DatabaseBusy,
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.InsufficientResourcesError,
    asyncpg.InterfaceError,
)
_HSTS = (b"strict-transport-security", b"max-age=31536000")
CLIENT_GONE = 499  # in the log only: the client has disconnected
_SANE_ID = re.compile(r"[A-Za-z0-9._\-]{1,128}")
_log = structlog.get_logger("frontdesk.request")


async def answer_call(
    scope: dict[str, Any],
    receive: Callable[[], Awaitable[Any]],
    send: Send,
    resources: Resources,
    records: Records,
    handle: Handle,
) -> None:
    call = Call(scope, receive, resources, "")
    sent = call.header(b"x-request-id")
    call.request_id = sent if sent and _SANE_ID.fullmatch(sent) else os.urandom(16).hex()
    began = time.perf_counter()
    try:
        answer = await _answer(call, handle)
        if answer.status != CLIENT_GONE:
            await _send(call, answer, send)
    finally:
        call.release_body()
    records.add(
        Note(
            call.request_id,
            call.known_caller,
            call.route or "unknown",
            answer.status,
            time.time(),
            time.perf_counter() - began,
            call.statements,
            call.error,
            call.also_scope,
            call.token_hash,
        )
    )


async def _answer(call: Call, handle: Handle) -> Answer:  # noqa: PLR0911 - one for each kind of failure
    try:
        return await handle(call)
    except ClientGone:
        return Answer(b"", CLIENT_GONE)
    except WireError as error:
        if error.status >= 500 and error.code is not Code.SERVICE_UNAVAILABLE:  # too busy is no failure
            _log.error("failed", request_id=call.request_id, route=call.route, trace=_trace(error))
        return _explain(call, error)
    except (asyncpg.DataError, asyncpg.UntranslatableCharacterError) as wrong:
        _log.warning("refused by the database", request_id=call.request_id, route=call.route, trace=_trace(wrong))
        return _explain(call, invalid({"": ["a value is outside what can be stored"]}))
    except _TOOK_TOO_LONG as late:
        _log.error("database too slow", request_id=call.request_id, route=call.route, reason=type(late).__name__)
        return _explain(call, _too_slow())
    except _OUT_OF_REACH as lost:
        _log.error("database out of reach", request_id=call.request_id, route=call.route, reason=type(lost).__name__)
        return _explain(call, _unavailable())
    except Exception as failure:  # noqa: BLE001 - whatever it is, the caller gets an answer and the log the trace
        _log.error("failed", request_id=call.request_id, route=call.route, trace=_trace(failure))
        message = f"Something went wrong here. Request id: {call.request_id}."
        return _explain(call, WireError(Code.INTERNAL_ERROR, message))


def _explain(call: Call, error: WireError) -> Answer:
    call.error = error.code
    return call.explain(error)


def _trace(failure: BaseException | None) -> list[str]:
    """Where it happened, down to the first cause. Messages stay out: they quote values, even phone numbers."""
    lines: list[str] = []
    while failure is not None:
        frames = traceback.extract_tb(failure.__traceback__)
        lines += [type(failure).__name__, *(f"  {frame.name} {frame.filename}:{frame.lineno}" for frame in frames)]
        failure = failure.__cause__ or failure.__context__
    return lines


def _too_slow() -> WireError:
    return WireError(
        Code.TEMPORARILY_UNAVAILABLE,
        "The request waited too long for another one. Nothing was changed; try again.",
        headers={"retry-after": "1"},
    )


def _unavailable() -> WireError:
    return WireError(
        Code.SERVICE_UNAVAILABLE, "The database does not answer. Try again shortly.", headers={"retry-after": "1"}
    )


async def _send(call: Call, answer: Answer, send: Send) -> None:
    headers = call.headers
    headers.update(answer.headers)
    headers.setdefault("cache-control", "no-store")
    if answer.status != 204:
        headers["content-length"] = str(len(answer.body))
    head = [(_bytes(name), value.encode("latin-1")) for name, value in headers.items()]
    head.append((b"x-request-id", call.request_id.encode()))
    if call.resources.settings.is_https:
        head.append(_HSTS)
    if call.cookies:
        head += [(b"set-cookie", cookie.encode("latin-1")) for cookie in call.cookies]
    await send({"type": "http.response.start", "status": answer.status, "headers": head})
    await send({"type": "http.response.body", "body": b"" if call.scope["method"] == "HEAD" else answer.body})


@cache
def _bytes(name: str) -> bytes:
    """The names of headers are few, and always the same."""
    return name.encode("latin-1")
