"""Records every request: a log line, the metrics, and the request log that its caller can read.

Records are buffered and flushed together after a short delay. Flushing each one by itself cost a short request a tenth
of its time, mostly CPU cache misses. A killed process loses the records of the last 100 milliseconds.
"""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from typing import NamedTuple
from uuid import UUID

from prometheus_client import Counter, Histogram

from frontdesk.auth.request_log import RequestLog, RequestLogEntry
from frontdesk.auth.types import Caller
from frontdesk.http.tenant_load import LOAD
from frontdesk.runtime.log_setup import RequestLine, write_request_lines

DELAY = 0.1  # seconds
_requests = Counter("frontdesk_requests_total", "Requests answered", ["route", "status"])
_seconds = Histogram("frontdesk_request_seconds", "Time to answer", ["route"])
_statements = Counter("frontdesk_statements_total", "SQL statements run for requests", ["route"])
_HEALTH_CHECKS = ("GET /health/live", "GET /health/ready")


class RequestRecord(NamedTuple):
    """Contains the route instead of the path, because a path may contain a phone number."""

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


class RequestRecorder:
    def __init__(self, request_log: RequestLog) -> None:
        self._request_log = request_log
        self._records: list[RequestRecord] = []

    def add(self, record: RequestRecord) -> None:
        if not self._records:
            asyncio.get_running_loop().call_later(DELAY, self.flush)
        self._records.append(record)

    def flush(self) -> None:
        records, self._records = self._records, []
        write_request_lines(_line(record) for record in records)
        _measure(records)
        for record in records:
            if record.caller is not None:
                self._request_log.add(_log_entry(record, record.caller))


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
    at, microseconds = datetime.fromtimestamp(record.at, UTC), int(record.seconds * 1_000_000)
    did = (
        record.request_id,
        record.route,
        record.status,
        microseconds,
        record.error,
        record.extra_scopes,
        record.token_hash,
    )
    return RequestLogEntry(caller.tenant_id, caller.id, at, *did)
