"""All error codes of the APIs, in the order of the specification's table, followed by our own."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from itertools import islice
from typing import Any, NamedTuple

from frontdesk.problems import Refusal


class Code(StrEnum):
    AUTHENTICATION_FAILED = "authentication_failed"
    INSUFFICIENT_SCOPE = "insufficient_scope"
    FEATURE_DISABLED = "feature_disabled"
    VALIDATION_ERROR = "validation_error"
    TIMESLOT_UNAVAILABLE = "timeslot_unavailable"
    PAYMENT_METHOD_NOT_FOUND = "payment_method_not_found"
    PAYMENT_METHOD_TYPE_AMBIGUOUS = "payment_method_type_ambiguous"
    PAYMENT_METHOD_REQUIRED = "payment_method_required"
    PAYMENT_METHOD_UNAVAILABLE = "payment_method_unavailable"
    ORDER_HAS_INVOICE = "order_has_invoice"
    INVALID_STATUS_TRANSITION = "invalid_status_transition"
    RATE_LIMIT_EXCEEDED = "rate_limit_exceeded"
    AVAILABILITY_CHECK_FAILED = "availability_check_failed"
    NOT_FOUND = "not_found"
    # Codes that the specification does not define.
    BUSINESS_SUSPENDED = "business_suspended"
    BUDGET_EXCEEDED = "budget_exceeded"
    BAD_REQUEST = "bad_request"
    INVALID_GRANT = "invalid_grant"
    TAG_ALREADY_EXISTS = "tag_already_exists"
    METHOD_NOT_ALLOWED = "method_not_allowed"
    REQUEST_TIMEOUT = "request_timeout"
    PAYLOAD_TOO_LARGE = "payload_too_large"
    IDEMPOTENCY_KEY_IN_USE = "idempotency_key_in_use"
    IDEMPOTENCY_KEY_REUSED = "idempotency_key_reused"
    ORDER_IS_DRAFT = "order_is_draft"
    ORDER_CANCELED = "order_canceled"
    ORDER_NOT_RESCHEDULABLE = "order_not_reschedulable"
    TOTAL_MISMATCH = "total_mismatch"
    HOLD_LIMIT_REACHED = "hold_limit_reached"
    EXPORT_LIMIT_REACHED = "export_limit_reached"
    VERSION_CONFLICT = "version_conflict"
    EXTERNAL_ID_TAKEN = "external_id_taken"
    GONE = "gone"
    INTERNAL_ERROR = "internal_error"
    SERVICE_UNAVAILABLE = "service_unavailable"
    TEMPORARILY_UNAVAILABLE = "temporarily_unavailable"
    SANDBOX_ONLY = "sandbox_only"


STATUS: Mapping[Code, int] = {
    Code.AUTHENTICATION_FAILED: 401,
    Code.INSUFFICIENT_SCOPE: 403,
    Code.FEATURE_DISABLED: 403,
    Code.BUSINESS_SUSPENDED: 403,
    Code.VALIDATION_ERROR: 422,
    Code.TIMESLOT_UNAVAILABLE: 422,
    Code.PAYMENT_METHOD_NOT_FOUND: 422,
    Code.PAYMENT_METHOD_TYPE_AMBIGUOUS: 422,
    Code.PAYMENT_METHOD_REQUIRED: 422,
    Code.PAYMENT_METHOD_UNAVAILABLE: 422,
    Code.ORDER_HAS_INVOICE: 422,
    Code.INVALID_STATUS_TRANSITION: 422,
    Code.RATE_LIMIT_EXCEEDED: 429,
    Code.BUDGET_EXCEEDED: 429,
    Code.AVAILABILITY_CHECK_FAILED: 502,
    Code.NOT_FOUND: 404,
    Code.BAD_REQUEST: 400,
    Code.INVALID_GRANT: 400,
    Code.TAG_ALREADY_EXISTS: 400,
    Code.METHOD_NOT_ALLOWED: 405,
    Code.REQUEST_TIMEOUT: 408,
    Code.PAYLOAD_TOO_LARGE: 413,
    Code.IDEMPOTENCY_KEY_IN_USE: 409,
    Code.IDEMPOTENCY_KEY_REUSED: 422,
    Code.ORDER_IS_DRAFT: 422,
    Code.ORDER_CANCELED: 422,
    Code.ORDER_NOT_RESCHEDULABLE: 422,
    Code.TOTAL_MISMATCH: 422,
    Code.HOLD_LIMIT_REACHED: 422,
    Code.EXPORT_LIMIT_REACHED: 429,
    Code.VERSION_CONFLICT: 409,
    Code.EXTERNAL_ID_TAKEN: 409,
    Code.GONE: 410,
    Code.INTERNAL_ERROR: 500,
    Code.SERVICE_UNAVAILABLE: 503,
    Code.TEMPORARILY_UNAVAILABLE: 503,
    Code.SANDBOX_ONLY: 403,
}


ERROR_PAGES = "/docs/errors"


def doc_url(origin: str, code: str) -> str:
    """Of the page about a code."""
    return f"{origin}{ERROR_PAGES}/{code}"


class OperationErrors(NamedTuple):
    """Which errors an operation can answer, and what an example of them names."""

    codes: tuple[Code, ...]
    scope: str | None  # that it requires
    field: str | None  # of its body or query
    is_required: bool  # the field


class WireError(Refusal):
    """An error that is returned to the caller. Raising it rolls back the transaction. Nouns raise a `Problem`."""

    def __init__(
        self,
        code: Code,
        message: str,
        *,
        errors: Mapping[str, Sequence[str]] | None = None,
        details: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.status = STATUS[code]
        self.message = message
        self.errors = errors
        self.details = details
        self.headers = dict(headers or {})


MAX_FIELD_ERRORS = 100  # in one response


def invalid(errors: Mapping[str, Sequence[str]], *, details: Mapping[str, Any] | None = None) -> WireError:
    """A validation error. Its message repeats the first field error, for clients that show only the message."""
    if len(errors) > MAX_FIELD_ERRORS:
        errors = dict(islice(errors.items(), MAX_FIELD_ERRORS))
    field, messages = next(iter(errors.items()))
    message = f"{field} {messages[0]}" if field else messages[0][:1].upper() + messages[0][1:]
    message = message.removesuffix(".")
    more = sum(len(m) for m in errors.values()) - 1
    if more:
        message += f" (and {more} more)"
    return WireError(Code.VALIDATION_ERROR, f"{message}.", errors=errors, details=details)
