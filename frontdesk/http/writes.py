"""Runs an endpoint that writes: read, decide, call a database function; with an Idempotency-Key, at most once."""

import hashlib
import re
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import asyncpg

from frontdesk.auth.types import Caller
from frontdesk.http.decoding import canonical_json
from frontdesk.http.problems import KeyProblem, RequestProblem
from frontdesk.http.request import Request
from frontdesk.http.responses import Response, data_response
from frontdesk.postgres.act import Act, Context, FunctionCall
from frontdesk.postgres.idempotency import StoredResponse
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.write import (
    MAX_ATTEMPTS,
    EmittedEvent,
    KeyClaim,
    KeyUsed,
    Outdated,
    as_failure,
    call,
    lock,
    store_response,
    try_call,
    waits_for_key,
)
from frontdesk.problems import Problem
from frontdesk.security.encryption import DecryptionFailed
from frontdesk.values.tenant_context import TenantContext

_HEADER = "Idempotency-Key"
_HEADER_FIELD = _HEADER.lower().encode()
DRY_RUN = "Frontdesk-Dry-Run"
_DRY_RUN_FIELD = DRY_RUN.lower().encode()
RenderEvents = Callable[[Caller, Sequence[EmittedEvent], str], bytes]  # with the origin of addresses
AddToCall = Callable[[FunctionCall], FunctionCall]
Complete = Callable[[bytes, str], bytes]  # adds the origin to the addresses of a document
FindMembers = Callable[[], Awaitable[bytes]]  # as they follow `data` in the response, each after a comma
Compare = Callable[[Connection, TenantContext, FunctionCall], Awaitable[FindMembers | None]]
IDEMPOTENCY_KEY = re.compile(r"[\x21-\x7e]{1,255}")


class IdempotencyKey(NamedTuple):
    key: str
    fingerprint: bytes  # of the request


class PendingWrite(NamedTuple):
    """An act of one request, ready to run."""

    request: Request
    act: Act[Any]
    key: IdempotencyKey | None
    status: int
    render_events: RenderEvents  # of a dry run
    complete: Complete | None = None
    add: AddToCall | None = None  # what the request writes beside the act
    compare: Compare | None = None  # reads what there is before the act, then what the response says beside `data`


class _TakenBack(Exception):
    """Ends a transaction of which nothing is to be left."""


async def run_write(write: PendingWrite, loaded: object) -> Response:
    """`loaded` is the result of the first read. Every further attempt reads again."""
    if write.compare is not None:
        return _replay(write, loaded) if isinstance(loaded, StoredResponse) else await _run_locked(write)
    for attempt in range(MAX_ATTEMPTS):
        if attempt:
            loaded = await load(write)
        if isinstance(loaded, StoredResponse):
            return _replay(write, loaded)
        try:
            async with write.request.connection() as conn:
                return await _call(write, conn, _decide(write, loaded))
        except Outdated:
            continue
    return await _run_locked(write)


async def load(write: PendingWrite) -> object:
    with as_failure(write.act.failure()):
        return await write.request.load(write.act.load(), write.key.key if write.key else None)


def _decide(write: PendingWrite, loaded: object) -> FunctionCall:
    decided = write.act.decide(Context(write.request.caller.tenant, write.request.actor, loaded))
    return decided if write.add is None else write.add(decided)


async def _run_locked(write: PendingWrite) -> Response:
    """The rows are locked before they are read, so the attempt succeeds unless the same key was used meanwhile."""
    async with write.request.pinned_connection() as conn:
        try:
            async with conn.transaction():
                await lock(conn, write.request.caller.tenant_id, write.act, _claim(write))
                return await _call(write, conn, _decide(write, await load(write)))
        except KeyUsed as used:
            loaded = await load(write)
            if isinstance(loaded, StoredResponse):
                return _replay(write, loaded)
            raise _in_use() from used
        except asyncpg.LockNotAvailableError as waiting:
            if waits_for_key(waiting):
                raise _in_use() from waiting
            raise


def _claim(write: PendingWrite) -> KeyClaim | None:
    return None if write.key is None else KeyClaim(write.request.caller.id, *write.key, write.status)


async def _call(write: PendingWrite, conn: Connection, decided: FunctionCall) -> Response:
    caller, claim = write.request.caller, _claim(write)
    find = None if write.compare is None else await write.compare(conn, caller.tenant, decided)
    if write.request.is_dry_run:
        return await _try(write, conn, decided, find)
    at_once = claim if find is None else None
    try:
        body = await call(conn, caller.tenant_id, decided, write.request.actor, at_once)
    except asyncpg.LockNotAvailableError as waiting:
        if waits_for_key(waiting):
            raise _in_use() from waiting
        raise
    if find is not None:
        body += await find()
        if claim is not None:
            await store_response(conn, caller.tenant_id, decided, claim, body)
    if decided.response is not None:
        write.request.created_id = decided.response.id
    return _response(write, body, write.status, _secret(decided))


async def _try(write: PendingWrite, conn: Connection, decided: FunctionCall, find: FindMembers | None) -> Response:
    """A response without a body names only the types of the events."""
    caller = write.request.caller
    members = b"" if find is None else await _find_and_take_back(write, conn, decided, find)
    tried = await try_call(conn, caller.tenant_id, decided, write.request.actor)
    response = _response(write, tried.document + members, write.status, _secret(decided))
    types = dict.fromkeys(event.type for event in tried.events)
    if types:
        response.headers["frontdesk-dry-run-events"] = ", ".join(types)
    if response.body:
        events = write.render_events(caller, tried.events, write.request.origin)
        response.body = response.body.removesuffix(b"}") + b',"dry_run":{"events":' + events + b"}}"
    return response


async def _find_and_take_back(write: PendingWrite, conn: Connection, decided: FunctionCall, find: FindMembers) -> bytes:
    members = b""
    with suppress(_TakenBack):
        async with conn.transaction():
            await call(conn, write.request.caller.tenant_id, decided, write.request.actor)
            members = await find()
            raise _TakenBack
    return members


def _secret(decided: FunctionCall) -> bytes | None:
    return None if decided.secret is None else decided.secret.text.encode()


def _response(write: PendingWrite, document: bytes, status: int, secret: bytes | None) -> Response:
    if write.complete is not None:
        document = write.complete(document, write.request.origin)
    if secret is not None:
        document = b'%s, "secret": "%s"}' % (document.removesuffix(b"}"), secret)
    return data_response(document, status) if document else Response(b"", status)


def note_dry_run(request: Request, *, is_supported: bool) -> None:
    """A caller who asks for it expects that nothing is written."""
    if not _asks_dry_run(request):
        return
    if not is_supported:
        raise Problem(RequestProblem.DRY_RUN, DRY_RUN)
    request.is_dry_run = True
    request.headers[DRY_RUN.lower()] = "true"


def _asks_dry_run(request: Request) -> bool:
    sent = request.header(_DRY_RUN_FIELD)
    if sent is None:
        return False
    if sent not in ("true", "false") or request.count_header(_DRY_RUN_FIELD) > 1:
        raise Problem(RequestProblem.DRY_RUN_VALUE, DRY_RUN)
    return sent == "true"


def idempotency_key(request: Request) -> IdempotencyKey | None:
    """The value of the header, with or without quotes around it."""
    sent = request.header(_HEADER_FIELD)
    if sent is None:
        return None
    if request.count_header(_HEADER_FIELD) > 1:
        raise Problem(KeyProblem.SENT_TWICE, _HEADER)
    if sent.count('"') % 2:
        raise Problem(KeyProblem.UNBALANCED_QUOTE, _HEADER)
    key = _unquoted(sent)
    if not IDEMPOTENCY_KEY.fullmatch(key):
        raise Problem(KeyProblem.NOT_PRINTABLE, _HEADER)
    return IdempotencyKey(key, _fingerprint(request))


def sent_key(request: Request) -> str | None:
    """The same for the log, which has no key that is refused."""
    sent = request.header(_HEADER_FIELD)
    if sent is None or request.count_header(_HEADER_FIELD) > 1:
        return None
    key = _unquoted(sent)
    return key if IDEMPOTENCY_KEY.fullmatch(key) and sent.count('"') % 2 == 0 else None


def _unquoted(sent: str) -> str:
    key = sent.strip()
    return key[1:-1] if len(key) >= 2 and key[0] == key[-1] == '"' else key


def _fingerprint(request: Request) -> bytes:
    """Of method, path, query and body; two bodies with the same content have the same fingerprint."""
    query = b"&".join(sorted(request.scope["query_string"].split(b"&")))
    path = request.path.encode("utf-8", "surrogatepass")
    content = b"\0".join([request.method.encode(), path, query, canonical_json(request.raw_body)])
    return hashlib.sha256(content).digest()


def _replay(write: PendingWrite, stored: StoredResponse) -> Response:
    if write.key is None or stored.fingerprint != write.key.fingerprint:
        raise Problem(KeyProblem.REUSED)
    try:
        secret = None if stored.secret is None else write.request.resources.secret_box.decrypt(stored.secret)
    except DecryptionFailed as lost:
        raise Problem(KeyProblem.NOT_DECRYPTED) from lost
    response = _response(write, stored.body, stored.status, secret)
    response.headers["idempotent-replayed"] = "true"
    write.request.is_replayed = True
    return response


def _in_use() -> Problem:
    return Problem(KeyProblem.IN_USE, seconds=1)
