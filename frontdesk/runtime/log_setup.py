"""Logging: one JSON object per line on standard output. Secrets and personal data are never logged."""

import logging
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from uuid import UUID

import msgspec
import structlog

_ENCODER = msgspec.json.Encoder(enc_hook=str)


class RequestLine(msgspec.Struct):
    """The log line of a request. Written without structlog, which would cost more than the rest of the line."""

    request_id: str
    tenant: UUID | None
    client: UUID | None
    route: str
    status: int
    ms: float
    statements: int
    timestamp: datetime
    event: str = "request"
    level: str = "info"


def write_request_lines(lines: Iterable[RequestLine]) -> None:
    out = sys.stdout.buffer
    out.writelines(_ENCODER.encode(line) + b"\n" for line in lines)
    out.flush()


def configure_logs() -> None:
    """Other loggers (uvicorn, asyncio) write warnings and errors only."""
    structlog.configure(
        processors=[_render],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.BytesLoggerFactory(sys.stdout.buffer),
        cache_logger_on_first_use=True,
    )
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s %(message)s", stream=sys.stderr)
    logging.getLogger("python_multipart").setLevel(logging.ERROR)  # a malformed form is refused; strangers send many


def _render(_logger: object, level: str, event: structlog.typing.EventDict) -> bytes:
    """A single processor. Exceptions are logged where they are caught, not here."""
    event["level"] = level
    event["timestamp"] = f"{datetime.now(UTC).replace(tzinfo=None).isoformat()}Z"
    return _ENCODER.encode(event)
