"""What is told of every request: a line of the log, the meters, and the log that its caller can read.

While a request is answered it is only noted. What was noted is told together a moment later: one by one it would cost
a short request a tenth of its time, most of it for finding the way back to code that others had pushed out of reach.
A process that is killed takes the notes of the last tenth of a second with it.
"""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from typing import NamedTuple

from prometheus_client import Counter, Histogram

from frontdesk.auth.request_log import RequestLog, RequestLogEntry
from frontdesk.auth.types import Caller
from frontdesk.log_setup import RequestLine, write_request_lines

DELAY = 0.1  # seconds
_requests = Counter("frontdesk_requests_total", "Requests answered", ["route", "status"])
_seconds = Histogram("frontdesk_request_seconds", "Time to answer", ["route"])
_statements = Counter("frontdesk_statements_total", "SQL statements run for requests", ["route"])


class RequestRecord(NamedTuple):
    """The path itself stays out of it: it may carry a phone number; the route never does."""

    request_id: str
    caller: Caller | None
    route: str
    status: int
    at: float
    seconds: float
    statements: int
    error: str | None
    extra_scope: str | None
    token_hash: bytes | None


class RequestRecorder:
    def __init__(self, kept: RequestLog) -> None:
        self._kept = kept
        self._notes: list[RequestRecord] = []

    def add(self, note: RequestRecord) -> None:
        if not self._notes:
            asyncio.get_running_loop().call_later(DELAY, self.tell)
        self._notes.append(note)

    def tell(self) -> None:
        notes, self._notes = self._notes, []
        write_request_lines(_line(note) for note in notes)
        _measure(notes)
        for note in notes:
            if note.caller is not None:
                self._kept.add(_log_entry(note, note.caller))


def _measure(notes: Sequence[RequestRecord]) -> None:
    for route, status in {(note.route, note.status) for note in notes}:
        alike = [note for note in notes if note.route == route and note.status == status]
        requests, clock, statements = _metrics(route, status)
        requests.inc(len(alike))
        statements.inc(sum(note.statements for note in alike))
        for note in alike:
            clock.observe(note.seconds)


@cache
def _metrics(route: str, status: int) -> tuple[Counter, Histogram, Counter]:
    """Looked up once: finding a meter by its labels costs more than counting with it."""
    return _requests.labels(route, status), _seconds.labels(route), _statements.labels(route)


def _line(note: RequestRecord) -> RequestLine:
    tenant_id, caller_id = (note.caller.tenant_id, note.caller.id) if note.caller else (None, None)
    milliseconds, at = int(note.seconds * 100_000) / 100, datetime.fromtimestamp(note.at, UTC)
    return RequestLine(
        note.request_id, tenant_id, caller_id, note.route, note.status, milliseconds, note.statements, at
    )


def _log_entry(note: RequestRecord, caller: Caller) -> RequestLogEntry:
    at, microseconds = datetime.fromtimestamp(note.at, UTC), int(note.seconds * 1_000_000)
    did = (note.request_id, note.route, note.status, microseconds, note.error, note.extra_scope, note.token_hash)
    return RequestLogEntry(caller.tenant_id, caller.id, at, *did)
