"""A write in two statements: the first reads what the rules need, the second calls a database function.

Between the two, code without side effects decides. Nothing is locked meanwhile, so the function locks the rows,
compares them with what was read, and raises `FD001` where they have changed. Then everything is read and decided again.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from functools import lru_cache
from typing import Any, NamedTuple
from uuid import UUID

import asyncpg
import msgspec
from prometheus_client import Counter

from frontdesk.postgres.act import Act, Context, FunctionCall
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import fetch
from frontdesk.runtime.late_gauge import LateGauge
from frontdesk.values.actor import Actor
from frontdesk.values.tenant_context import TenantContext

Guard = Callable[[Connection], AbstractAsyncContextManager[None]]
MAX_ATTEMPTS = 3  # without locks; after that the rows are locked before they are read
OUTDATED = "FD001"
OUT_OF_STOCK = "FD002"
ABOVE_LIMIT = "FD003"  # of lock_account: the customer may not owe so much
OVERLAP = "23P01"  # exclusion_violation
UNIQUE = "23505"  # unique_violation
REMOVED = "23503"  # foreign_key_violation: what the new row refers to was deleted meanwhile
# What was read has changed meanwhile; with the words of the metric.
_CHANGED = {OUTDATED: "outdated", OUT_OF_STOCK: "stock", OVERLAP: "slot", UNIQUE: "unique", REMOVED: "removed"}
_conflicts = Counter("frontdesk_write_conflicts_total", "Writes that another one overtook", ["reason"])
for _reason in _CHANGED.values():
    _conflicts.labels(_reason)  # it is shown before the first one, so that an alert can compare
_last_write = LateGauge("frontdesk_last_write_timestamp_seconds", "When an act was last written", "max")
_encode = msgspec.json.Encoder(enc_hook=str).encode  # subclasses of Decimal

# A lock or a statement took too long, a deadlock, an error of the server: nothing was written.
_FAILURES = (
    asyncpg.LockNotAvailableError,
    asyncpg.QueryCanceledError,
    asyncpg.DeadlockDetectedError,
    asyncpg.SerializationError,
    asyncpg.InternalServerError,
)


class KeyClaim(NamedTuple):
    """An Idempotency-Key, with the response that will be stored under it."""

    caller_id: UUID
    key: str
    fingerprint: bytes
    status: int


class EmittedEvent(NamedTuple):
    type: str
    data: str  # JSON


class DryRun(NamedTuple):
    """What an act would have written, after it was taken back."""

    document: bytes  # the response as JSON; empty if the call has none
    events: list[EmittedEvent]


class Outdated(Exception):
    """What was read has changed since. Read again."""


class KeyUsed(Outdated):
    """The Idempotency-Key was used meanwhile, so a response is stored."""


async def run(
    conn: Connection,
    tenant: TenantContext,
    act: Act[Any],
    claim: KeyClaim | None = None,
    *,
    actor: Actor,
    guard: Guard | None = None,
) -> bytes:
    """Not for API requests, which authenticate and find stored responses in the same statements.

    `guard` compares what is there before and after the write, and raises if nothing is to be written. The rows of the
    act are locked first, so that no other transaction adds to what it reads.
    """
    for _ in range(0 if guard else MAX_ATTEMPTS):
        try:
            async with conn.savepoint_if_nested():
                return await _attempt(conn, tenant, act, claim, actor)
        except KeyUsed:
            raise
        except Outdated:
            continue
    async with conn.transaction():
        await lock(conn, tenant.tenant_id, act, claim)
        async with guard(conn) if guard else nullcontext():
            return await _attempt(conn, tenant, act, claim, actor)


async def run_guarded(
    conn: Connection, tenant: TenantContext, acts: Sequence[Act[Any]], actor: Actor, guard: Guard
) -> None:
    """Several acts on the same rows, all or none, with one guard around them."""
    async with conn.transaction():
        await lock(conn, tenant.tenant_id, acts[0])
        async with guard(conn):
            for act in acts:
                await _attempt(conn, tenant, act, None, actor)


async def _attempt(
    conn: Connection, tenant: TenantContext, act: Act[Any], claim: KeyClaim | None, actor: Actor
) -> bytes:
    with as_failure(act.failure()):
        loaded = await fetch(conn, tenant.tenant_id, act.load())
    return await call(conn, tenant.tenant_id, act.decide(Context(tenant, actor, loaded)), actor, claim)


async def lock(conn: Connection, tenant_id: UUID, act: Act[Any], claim: KeyClaim | None = None) -> None:
    """The key comes before all other locks, as in `call`."""
    if claim is not None and not await conn.fetchval(
        "SELECT claim_idempotency_key($1, $2, $3)", tenant_id, claim.caller_id, claim.key
    ):
        raise KeyUsed
    rows = act.load().lock
    if rows is not None:
        with as_failure(act.failure()):
            await conn.execute(rows.sql, tenant_id, *rows.args)


async def lock_all(conn: Connection, tenant_id: UUID, acts: Sequence[Act[Any]]) -> None:
    """What several acts of one transaction lock: the first one may emit events, and hold their counter from then on."""
    for act in acts:
        await lock(conn, tenant_id, act)


async def call(
    conn: Connection, tenant_id: UUID, call: FunctionCall, actor: Actor, claim: KeyClaim | None = None
) -> bytes:
    """The response as JSON; empty if the call has none."""
    document, id_ = call.response or (None, None)
    secret = None if call.secret is None else call.secret.encrypted
    with as_failure(call.failure), as_outdated(call):
        body: bytes | None = await conn.fetchval(
            _sql(call.function, document),
            tenant_id,
            _argument(call, actor),
            id_,
            *(claim or _NO_CLAIM),
            call.stored,
            secret,
        )
    if body is None:
        raise KeyUsed
    _last_write.set(time.time())
    return body


async def store_response(conn: Connection, tenant_id: UUID, call: FunctionCall, claim: KeyClaim, body: bytes) -> None:
    """For a response that is complete only after the call. The key was claimed by `lock`."""
    with as_failure(call.failure), as_outdated(call):
        await conn.execute("SELECT store_response($1, $2, $3, $4, $5, $6, NULL, NULL)", tenant_id, *claim, body)


async def try_call(conn: Connection, tenant_id: UUID, call: FunctionCall, actor: Actor) -> DryRun:
    """The same up to the commit, then everything is taken back. One statement too."""
    document, id_ = call.response or (None, None)
    with as_failure(call.failure), as_outdated(call):
        body, *events = await conn.fetchval(
            _try_sql(call.function, document), tenant_id, _argument(call, actor), id_, actor.id
        )
    return DryRun(body.encode(), [EmittedEvent(*pair) for pair in zip(events[::2], events[1::2], strict=True)])


_NO_CLAIM = (None, None, None, None)


def _argument(call: FunctionCall, actor: Actor) -> str:
    """With the actor written into the JSON, so that PostgreSQL parses one text and merges nothing."""
    fields = b"" if call.argument is None else _encode(call.argument)[1:-1]
    data = b"" if call.custom_data is None else b',"custom_data":' + _encode(call.custom_data)
    written = b'"actor":' + _encode(actor._asdict()) + data
    return (b"{" + fields + (b"," if fields else b"") + written + b"}").decode()


@lru_cache(maxsize=256)
def _sql(function: str | None, document: str | None) -> str:
    """The names are part of the text, for the logs of slow statements, ours and those of the server."""
    return f"SELECT run_act($1, {_names(function, document)}, $2, $3, $4, $5, $6, $7, $8, $9)"


@lru_cache(maxsize=256)
def _try_sql(function: str | None, document: str | None) -> str:
    return f"SELECT try_act($1, {_names(function, document)}, $2, $3, $4)"


def _names(*names: str | None) -> str:
    return ", ".join(f"'{name}'" if name else "NULL" for name in names)


class as_outdated:  # noqa: N801 - used as a function
    """Reports that what was read has changed, or the error that the call has for it."""

    __slots__ = ("_call",)

    def __init__(self, call: FunctionCall) -> None:
        self._call = call

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if not isinstance(error, asyncpg.PostgresError):
            return
        if error.sqlstate in _CHANGED:
            _conflicts.labels(_CHANGED[error.sqlstate]).inc()
        if error.sqlstate in self._call.errors:
            raise self._call.errors[error.sqlstate]() from error
        if error.sqlstate in _CHANGED:
            raise Outdated from error


class as_failure:  # noqa: N801 - used as a function
    """Reports a failure of the database as the given error."""

    __slots__ = ("_failure",)

    def __init__(self, failure: Callable[[], Exception] | None) -> None:
        self._failure = failure

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if self._failure is not None and isinstance(error, _FAILURES) and not waits_for_key(error):
            raise self._failure() from error


def waits_for_key(error: BaseException) -> bool:
    """Whether a lock timeout means that a request with the same Idempotency-Key is still in progress."""
    return isinstance(error, asyncpg.LockNotAvailableError) and any(
        function in (error.context or "") for function in ("claim_idempotency_key", "store_response")
    )
