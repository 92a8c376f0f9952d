"""What the client raises, so that nobody has to look at status codes."""

from collections.abc import Mapping, Sequence
from typing import Any

import httpx2
import msgspec


class FrontdeskError(Exception):
    """Anything that the client raises of its own accord."""


class ApiError(FrontdeskError):
    """The service answered, and the answer was no."""

    def __init__(
        self,
        status: int,
        code: str | None,
        message: str,
        *,
        errors: Mapping[str, Sequence[str]],
        details: Mapping[str, Any],
        request_id: str | None,
        retry_after: float | None,
    ) -> None:
        super().__init__(f"{status} {code or 'without a code'}: {message}")
        self.status = status
        self.code = code  # None where somebody between here and the service answered
        self.message = message
        self.errors = errors  # what is wrong with each field, by its dotted path
        self.details = details
        self.request_id = request_id
        self.retry_after = retry_after  # seconds


class ConnectionFailed(FrontdeskError):
    """Nothing came back, however often it was asked. A write may have been made: ask again with the same key."""


class InvalidResponse(FrontdeskError):
    """An answer or a webhook that is not what this version of the client knows."""


class InvalidSignature(FrontdeskError):
    """A webhook that was not signed with the secret, was changed on the way, or is too old."""


class _ErrorBody(msgspec.Struct):
    error: str
    message: str
    errors: dict[str, list[str]] = {}
    details: dict[str, Any] = {}


def api_error(answer: httpx2.Response) -> ApiError:
    try:
        told = msgspec.json.decode(answer.content, type=_ErrorBody)
    except msgspec.DecodeError:
        told = None
    return ApiError(
        answer.status_code,
        told.error if told else None,
        told.message if told else answer.text[:200],
        errors=told.errors if told else {},
        details=told.details if told else {},
        request_id=answer.headers.get("x-request-id"),
        retry_after=retry_after(answer),
    )


def retry_after(answer: httpx2.Response) -> float | None:
    """A date, which only others between here and the service would write, is left aside."""
    value = answer.headers.get("retry-after", "")
    return float(value) if value.isascii() and value.isdecimal() else None
