"""What happened to a request, from the request log and from the response that is stored under its key."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from frontdesk.auth.request_log import RequestLogEntry
from frontdesk.postgres.idempotency import find_stored_sql
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import Query, decoded

_ATTEMPTS = 20  # with one key
_CLIENT_GONE, _TOO_SLOW = 499, 408
# Refused because of another request with the same key, which is the one that counts.
_OF_ANOTHER = frozenset({"idempotency_key_in_use", "idempotency_key_reused"})


class RequestState(StrEnum):
    IN_PROGRESS = "in_progress"
    COMPLETED = "completed"
    FAILED = "failed"


class AnsweredError(msgspec.Struct):
    message: str
    errors: dict[str, list[str]] = {}


class RequestLine(msgspec.Struct):
    """One request, as its line in the log says; without a status it is running."""

    request_id: str
    at: datetime  # of its end
    route: str
    status: int | None
    microseconds: int | None = None
    error: str | None = None
    path: str | None = None
    idempotency_key: str | None = None
    statements: int | None = None
    database_microseconds: int | None = None
    created_type: str | None = None  # what a success creates
    created_id: UUID | None = None
    is_replayed: bool | None = None
    is_dry_run: bool | None = None
    answered: AnsweredError | None = None

    @property
    def received_at(self) -> datetime:
        return self.at - timedelta(microseconds=self.microseconds or 0)

    @property
    def is_success(self) -> bool:
        return self.status is not None and self.status < 400

    @property
    def is_uncertain(self) -> bool:
        """It may have been answered after it was committed."""
        return self.status is not None and (self.status >= 500 or self.status in (_CLIENT_GONE, _TOO_SLOW))


class StoredOutcome(msgspec.Struct):
    """The response that is stored under a key."""

    status: int
    created_at: datetime
    is_new: bool  # so new that its line may not be written yet
    id: UUID | None = None  # of the record in it


class KnownRequests(msgspec.Struct):
    """A request, and those with the same key, newest first."""

    lines: list[RequestLine]
    stored: StoredOutcome | None = None

    def with_lines(self, more: Iterable[RequestLine]) -> "KnownRequests":
        """`more` may be the same ones, because they are read before and after they are written."""
        lines = {(line.request_id, line.at): line for line in (*more, *self.lines)}
        return KnownRequests(sorted(lines.values(), key=lambda line: line.at, reverse=True), self.stored)


class RequestReport(msgspec.Struct):
    state: RequestState
    line: RequestLine | None  # None: another process has just answered it
    key: str | None
    status: int | None
    created_type: str | None
    created_id: UUID | None
    attempts: list[RequestLine]  # with the same key, newest first


_COLUMNS = ", ".join(field for field in RequestLine.__struct_fields__)


def requests_query(request_id: str | None, key: str | None) -> Query[KnownRequests]:
    """Of the caller. With an id also those that had the same key."""
    return Query(
        f"""
        WITH asked AS (
            SELECT r.* FROM request_log r
            WHERE r.tenant_id = $1 AND r.caller_id = context.caller_id AND r.request_id = $2::text
            ORDER BY r.at DESC LIMIT 1
        ), of_key AS (
            SELECT coalesce($3::text, (SELECT a.idempotency_key FROM asked a)) AS key
        ), lines AS (
            SELECT a.* FROM asked a
            UNION
            (SELECT r.* FROM request_log r JOIN of_key k ON r.idempotency_key = k.key
             WHERE r.tenant_id = $1 AND r.caller_id = context.caller_id ORDER BY r.at DESC LIMIT {_ATTEMPTS})
        )
        SELECT json_build_object(
            'lines', coalesce((
                SELECT json_agg(line) FROM (SELECT {_COLUMNS} FROM lines ORDER BY at DESC) line), '[]'),
            'stored', (
                SELECT json_build_object(
                    'status', s.status, 'created_at', s.created_at,
                    'is_new', s.created_at > now() - interval '5 seconds',
                    'id', nullif(convert_from(s.body, 'UTF8'), '')::json ->> 'id')
                FROM ({find_stored_sql("context.caller_id", "(SELECT k.key FROM of_key k)")}) s)
        ) AS document
        """,
        (request_id, key),
        decoded(KnownRequests),
        is_late=False,  # what was just written counts
    )


async def find_key_state(conn: Connection, tenant_id: UUID, caller_id: UUID, key: str) -> str:
    """`held` by a request, `stored`, or `unknown`: as of now, whichever process works on it."""
    state: str = await conn.fetchval("SELECT idempotency_key_state($1, $2, $3)", tenant_id, caller_id, key)
    return state


class FoundRequest(NamedTuple):
    caller_id: UUID
    request_id: str
    at: datetime


async def find_request(conn: Connection, tenant_id: UUID, text: str) -> FoundRequest | None:
    """The newest request of the business with this id, or else with this key."""
    row = await conn.fetchrow(
        """
        (SELECT caller_id, request_id, at, 1 AS rank FROM request_log
         WHERE tenant_id = $1 AND request_id = $2 ORDER BY at DESC LIMIT 1)
        UNION ALL
        (SELECT caller_id, request_id, at, 2 FROM request_log
         WHERE tenant_id = $1 AND idempotency_key = $2 ORDER BY at DESC LIMIT 1)
        ORDER BY rank LIMIT 1
        """,
        tenant_id,
        text,
    )
    return None if row is None else FoundRequest(row["caller_id"], row["request_id"], row["at"])


def line_of(entry: RequestLogEntry) -> RequestLine:
    """Of a request whose line is not written yet."""
    values: dict[str, Any] = {name: getattr(entry, name) for name in RequestLine.__struct_fields__}
    if entry.answered is not None:
        values["answered"] = msgspec.json.decode(entry.answered, type=AnsweredError)
    return RequestLine(**values)


def report_request(request_id: str, known: KnownRequests) -> RequestReport | None:
    line = next((line for line in known.lines if line.request_id == request_id), None)
    if line is None:
        return None
    if line.status is None:
        return _report(RequestState.IN_PROGRESS, line, line.idempotency_key, None, known)
    is_saved = line.is_success or (line.is_uncertain and _is_of_key(line, known))
    state = RequestState.COMPLETED if is_saved else RequestState.FAILED
    return _report(state, line, line.idempotency_key, line.status, known)


def _is_of_key(line: RequestLine, known: KnownRequests) -> bool:
    """Whether the stored response is that of this request, and of no other one with the same key."""
    return known.stored is not None and _saved_by(known) is line


def report_key(key: str, known: KnownRequests) -> RequestReport | None:
    """If nobody holds the key."""
    if known.stored is not None:
        status = known.stored.status
        return _report(RequestState.COMPLETED, _saved_by(known), key, status, known)
    line = _decisive(known)
    if line is None:
        return None
    state = RequestState.COMPLETED if line.is_success else RequestState.FAILED
    return _report(state, line, key, line.status, known)


def report_running(key: str, known: KnownRequests) -> RequestReport:
    line = next((line for line in known.lines if line.status is None), None)
    return _report(RequestState.IN_PROGRESS, line, key, None, known)


def _saved_by(known: KnownRequests) -> RequestLine | None:
    lines = [line for line in known.lines if not line.is_replayed]
    return next((line for line in lines if line.is_success), next((line for line in lines if line.is_uncertain), None))


def _decisive(known: KnownRequests) -> RequestLine | None:
    """The newest attempt that was not refused because of another one."""
    lines = known.lines
    return next((line for line in lines if line.error not in _OF_ANOTHER), lines[0] if lines else None)


def _report(
    state: RequestState,
    line: RequestLine | None,
    key: str | None,
    status: int | None,
    known: KnownRequests,
) -> RequestReport:
    attempts = [other for other in known.lines if key is not None and other.idempotency_key == key]
    created_type, created_id = _created(line, known) if state is RequestState.COMPLETED else (None, None)
    return RequestReport(state, line, key, status, created_type, created_id, attempts)


def _created(line: RequestLine | None, known: KnownRequests) -> tuple[str | None, UUID | None]:
    if line is not None and line.created_id is not None:
        return line.created_type, line.created_id
    if line is None or line.created_type is None or not (line.is_replayed or line.is_uncertain):
        return None, None
    first = next((other.created_id for other in known.lines if other.created_id is not None), None)
    return line.created_type, first or (None if known.stored is None else known.stored.id)
