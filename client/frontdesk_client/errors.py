"""The exceptions that the client raises."""

from collections.abc import Mapping, Sequence
from typing import Any

import httpx2
import msgspec


class FrontdeskError(Exception):
    """Base class of every exception that the client raises."""


class ApiError(FrontdeskError):
    """The API returned an error response (4xx or 5xx)."""

    def __init__(
        self,
        status: int,
        code: str | None,
        message: str,
        *,
        errors: Mapping[str, Sequence[str]],
        details: Mapping[str, Any],
        request_id: str | None,
        doc_url: str | None,
        retry_after: float | None,
    ) -> None:
        super().__init__(f"{status} {code or '(no error code)'}: {message}")
        self.status = status
        self.code = code  # None if a proxy responded instead of the API
        self.message = message
        self.errors = errors  # messages by the dotted path of the field
        self.details = details
        self.request_id = request_id
        self.doc_url = doc_url  # of the page about the code
        self.retry_after = retry_after  # seconds


class ConnectionFailed(FrontdeskError):
    """No response after the last attempt. A write may have succeeded: retry it with the same idempotency key."""


class InvalidResponse(FrontdeskError):
    """A response or a webhook has a form that this version of the client cannot decode."""


class InvalidSignature(FrontdeskError):
    """The webhook was not signed with the secret, was modified, or is too old."""


class _ErrorBody(msgspec.Struct):
    error: str
    message: str
    request_id: str | None = None
    doc_url: str | None = None
    errors: dict[str, list[str]] = {}
    details: dict[str, Any] = {}


def api_error(response: httpx2.Response) -> ApiError:
    try:
        body = msgspec.json.decode(response.content, type=_ErrorBody)
    except msgspec.DecodeError:
        body = None
    return ApiError(
        response.status_code,
        body.error if body else None,
        body.message if body else response.text[:200],
        errors=body.errors if body else {},
        details=body.details if body else {},
        request_id=(body.request_id if body else None) or response.headers.get("x-request-id"),
        doc_url=body.doc_url if body else None,
        retry_after=retry_after(response),
    )


def retry_after(response: httpx2.Response) -> float | None:
    """The API sends seconds. The date form, which only a proxy would send, is ignored."""
    value = response.headers.get("retry-after", "")
    return float(value) if value.isascii() and value.isdecimal() else None
