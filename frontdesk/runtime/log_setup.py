"""Logging on standard output: one JSON object per line for machines, or one line of text for people.

Secrets and personal data are never logged.
"""

import logging
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import BinaryIO, cast
from uuid import UUID

import msgspec
import structlog

_format = "json"
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


class _Output:
    """Standard output. A line that its disk has no room for is dropped, and the caller goes on."""

    def write(self, lines: bytes) -> None:
        with suppress(OSError):
            sys.stdout.buffer.write(lines)
            sys.stdout.buffer.flush()

    def flush(self) -> None:
        """Nothing is left to do; structlog calls it."""


_OUTPUT = _Output()


def write_request_lines(lines: Iterable[RequestLine]) -> None:
    encode = _request_text if _format == "text" else _ENCODER.encode
    _OUTPUT.write(b"".join(encode(line) + b"\n" for line in lines))


def configure_logs(log_format: str | None = None) -> None:
    """Other loggers (uvicorn, asyncio) write warnings and errors only."""
    global _format  # noqa: PLW0603 - one log for each process
    _format = log_format or ("text" if sys.stdout.isatty() else "json")
    structlog.configure(
        processors=[_render_text if _format == "text" else _render],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.BytesLoggerFactory(cast("BinaryIO", _OUTPUT)),
        cache_logger_on_first_use=True,
    )
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s %(message)s", stream=sys.stderr)
    logging.getLogger("python_multipart").setLevel(logging.ERROR)  # a malformed form is refused; strangers send many


def _request_text(line: RequestLine) -> bytes:
    count = "1 statement" if line.statements == 1 else f"{line.statements} statements"
    about = {"request_id": line.request_id, "tenant": line.tenant, "client": line.client}
    return _text(line.timestamp, line.status, f"{line.route}, {line.ms:.0f} ms, {count}", about)


def _render_text(_logger: object, level: str, event: structlog.typing.EventDict) -> bytes:
    return _text(datetime.now(UTC), level, event.pop("event"), event)


def _text(at: datetime, kind: object, event: object, about: Mapping[str, object]) -> bytes:
    """A trace follows on lines of its own. A line break inside a value cannot begin a line that looks like another."""
    trace = about.get("trace")
    named = [f"{name}={value}" for name, value in about.items() if name != "trace" and value is not None]
    line = " ".join([f"{at:%Y-%m-%d %H:%M:%S}", f"{kind!s:<7}", str(event), *named])
    rest = trace if isinstance(trace, list) else []
    return "\n    ".join(" ".join(str(part).splitlines()) for part in (line, *rest)).encode(errors="replace")


def _render(_logger: object, level: str, event: structlog.typing.EventDict) -> bytes:
    """A single processor. Exceptions are logged where they are caught, not here."""
    event["level"] = level
    event["timestamp"] = f"{datetime.now(UTC).replace(tzinfo=None).isoformat()}Z"
    return _ENCODER.encode(event)
