"""Records every request: a log line, the metrics, and the request log that its caller can read.

Records are buffered and flushed together after a short delay. Flushing each one by itself cost a short request a tenth
of its time, mostly CPU cache misses. A killed process loses the records of the last 100 milliseconds.
"""

import asyncio
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID

import msgspec
from prometheus_client import Counter, Histogram

from frontdesk.auth.customer_reads import ShownCustomers
from frontdesk.auth.request_log import RequestLog, RequestLogEntry
from frontdesk.auth.types import Caller
from frontdesk.http.errors import WireError
from frontdesk.http.tenant_load import LOAD
from frontdesk.runtime.log_setup import RequestLine, write_request_lines

if TYPE_CHECKING:
    from frontdesk.http.request import Request

DELAY = 0.1  # seconds
_requests = Counter("frontdesk_requests_total", "Requests answered", ["route", "status"])
_seconds = Histogram("frontdesk_request_seconds", "Time to answer", ["route"])
_statements = Counter("frontdesk_statements_total", "SQL statements run for requests", ["route"])
_HEALTH_CHECKS = ("GET /health/live", "GET /health/ready")
_ID = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE | re.ASCII)
_LOGGED_FIELDS = 10  # of an error with many


class RequestRecord(NamedTuple):
    """The log lines have the route instead of the path, because a path may contain a phone number."""

    request_id: str
    caller: Caller | None
    tenant_id: UUID | None
    route: str
    status: int
    at: float
    seconds: float
    statements: int
    error: str | None
    extra_scopes: tuple[str, ...]
    token_hash: bytes | None
    path: str
    idempotency_key: str | None
    database_seconds: float
    creates: str | None
    created_id: UUID | None
    is_replayed: bool
    is_dry_run: bool
    refusal: WireError | None
    customers: ShownCustomers


class RequestRecorder:
    def __init__(self, request_log: RequestLog) -> None:
        self._request_log = request_log
        self._records: list[RequestRecord] = []
        self.running: set[Request] = set()

    def add(self, record: RequestRecord) -> None:
        if not self._records:
            asyncio.get_running_loop().call_later(DELAY, self.flush)
        self._records.append(record)

    def flush(self) -> None:
        records, self._records = self._records, []
        write_request_lines(_line(record) for record in records)
        _measure(records)
        for entry in _entries(records):
            self._request_log.add(entry)

    def unwritten(self) -> Iterator[RequestLogEntry]:
        """What this process has answered and the database may not have yet, newest first."""
        yield from _entries(reversed(self._records))
        yield from self._request_log.unwritten()


def _entries(records: Iterable[RequestRecord]) -> Iterator[RequestLogEntry]:
    return (_log_entry(record, record.caller) for record in records if record.caller is not None)


def _measure(records: Sequence[RequestRecord]) -> None:
    """Without health checks: a proxy asks every second, and its quick answers would hide slow and failing requests."""
    records = [record for record in records if record.route not in _HEALTH_CHECKS]
    for route, status in {(record.route, record.status) for record in records}:
        group = [record for record in records if record.route == route and record.status == status]
        requests, seconds, statements = _metrics(route, status)
        requests.inc(len(group))
        statements.inc(sum(record.statements for record in group))
        for record in group:
            seconds.observe(record.seconds)
            if record.tenant_id is not None:
                LOAD.add(record.tenant_id, record.seconds)


@cache
def _metrics(route: str, status: int) -> tuple[Counter, Histogram, Counter]:
    """Cached, because finding a metric by its labels costs more than updating it."""
    return _requests.labels(route, status), _seconds.labels(route), _statements.labels(route)


def _line(record: RequestRecord) -> RequestLine:
    caller_id = record.caller.id if record.caller else None
    milliseconds, at = int(record.seconds * 100_000) / 100, datetime.fromtimestamp(record.at, UTC)
    return RequestLine(
        record.request_id, record.tenant_id, caller_id, record.route, record.status, milliseconds, record.statements, at
    )


def _log_entry(record: RequestRecord, caller: Caller) -> RequestLogEntry:
    return RequestLogEntry(
        caller.tenant_id,
        caller.id,
        datetime.fromtimestamp(record.at, UTC),
        record.request_id,
        record.route,
        record.status,
        int(record.seconds * 1_000_000),
        record.error,
        path=_shown_path(record.route, record.path),
        idempotency_key=record.idempotency_key,
        statements=record.statements,
        database_microseconds=int(record.database_seconds * 1_000_000),
        created_type=record.creates,
        created_id=record.created_id,
        is_replayed=record.is_replayed,
        is_dry_run=record.is_dry_run,
        answered=None if record.refusal is None else _answered(record.refusal),
        extra_scopes=record.extra_scopes,
        token_hash=record.token_hash,
        customers=record.customers,
    )


def _shown_path(route: str, path: str) -> str | None:
    """With the ids that it names, and nothing else that a caller may have put there. None: it is that of the route."""
    if "{" not in route:
        return None
    segments = zip(route.partition(" ")[2].split("/"), path.split("/"), strict=False)
    return "/".join(sent if part.startswith("{") and _ID.fullmatch(sent) else part for part, sent in segments)


def _answered(refusal: WireError) -> str:
    """As JSON. Messages name no values that were sent."""
    errors = dict(islice((refusal.errors or {}).items(), _LOGGED_FIELDS))
    return msgspec.json.encode({"message": refusal.message, "errors": errors}).decode()
