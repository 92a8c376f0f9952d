"""One JSON line a happening, on standard output; what could be a secret or a phone number never gets here."""

import logging
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from uuid import UUID

import msgspec
import structlog

_ENCODER = msgspec.json.Encoder(enc_hook=str)


class RequestLine(msgspec.Struct):
    """What is told of every request. Written past structlog, which costs more than the rest of the line together."""

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
    """Foreign loggers (uvicorn, asyncio) speak only when something is wrong."""
    structlog.configure(
        processors=[_render],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.BytesLoggerFactory(sys.stdout.buffer),
        cache_logger_on_first_use=True,
    )
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s %(message)s", stream=sys.stderr)


def _render(_logger: object, level: str, event: structlog.typing.EventDict) -> bytes:
    """All in one step. Failures are told by whoever caught them, never here."""
    event["level"] = level
    event["timestamp"] = f"{datetime.now(UTC).replace(tzinfo=None).isoformat()}Z"
    return _ENCODER.encode(event)
