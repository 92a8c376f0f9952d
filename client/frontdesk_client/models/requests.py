"""What happened to a request."""

from typing import Literal

import msgspec

RequestState = Literal["in_progress", "completed", "failed"] | str


class RequestError(msgspec.Struct):
    code: str
    message: str | None
    field: str | None
    errors: dict[str, list[str]]
    doc_url: str


class CreatedRecord(msgspec.Struct):
    type: str
    id: str
    url: str | None


class RequestTiming(msgspec.Struct):
    total_ms: float | None
    database_ms: float | None
    statements: int | None


class RequestAttempt(msgspec.Struct):
    request_id: str
    received_at: str
    status: int | None
    replayed: bool


class RequestReport(msgspec.Struct):
    state: RequestState
    request_id: str | None
    idempotency_key: str | None
    operation: str | None
    path: str | None
    received_at: str | None
    status: int | None
    error: RequestError | None
    created: list[CreatedRecord]
    replayed: bool
    dry_run: bool
    timing: RequestTiming
    attempts: list[RequestAttempt]
