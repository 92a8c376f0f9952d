"""The form of `details`, by error code. A test checks that no code is missing."""

from collections.abc import Mapping
from typing import Literal
from uuid import UUID

import msgspec
from msgspec import UNSET, UnsetType

from frontdesk.apis.openapi.field_docs import FieldDoc
from frontdesk.http.errors import Code
from frontdesk.http.field_types import AmountText


class InsufficientScopeDetails(msgspec.Struct):
    scope: str


class ValidationErrorDetails(msgspec.Struct):
    remaining: AmountText | UnsetType = UNSET
    quota: str | UnsetType = UNSET
    limit: int | UnsetType = UNSET
    used: int | UnsetType = UNSET


class AlternativeSlot(msgspec.Struct):
    start: str
    staff_id: UUID


class TimeslotUnavailableDetails(msgspec.Struct):
    reason: Literal["booked", "outside_working_hours", "time_off", "past", "off_grid"]
    alternatives: list[AlternativeSlot]


class PaymentMethodTypeAmbiguousDetails(msgspec.Struct):
    payment_method_ids: list[UUID]


class OrderNotReschedulableDetails(msgspec.Struct):
    reason: Literal["draft", "canceled", "completed", "no_appointment"]


class HoldLimitReachedDetails(msgspec.Struct):
    reason: Literal["client", "staff_day", "duration"]


class VersionConflictDetails(msgspec.Struct):
    version: int | None


class ExportLimitReachedDetails(msgspec.Struct):
    reason: Literal["open", "stored"]
    limit: int
    retry_after: int


class RateLimitExceededDetails(msgspec.Struct):
    retry_after: int
    limit: int | UnsetType = UNSET


class BudgetExceededDetails(msgspec.Struct):
    scope: str
    allowed: int
    used: int
    records: int
    retry_after: int


class ExpectedTotals(msgspec.Struct):
    sub_total: AmountText
    discount_amount: AmountText
    total: AmountText
    lines: list[AmountText]


class TotalMismatchDetails(msgspec.Struct):
    expected: ExpectedTotals


DETAIL_DOCS = {
    "InsufficientScopeDetails.scope": FieldDoc("Scope that the request requires.", "orders:write"),
    "ValidationErrorDetails.remaining": FieldDoc(
        "Amount that can still be paid or refunded. Present if an amount was too high."
    ),
    "ValidationErrorDetails.quota": FieldDoc("Quota of the business that is used up. Present if a quota was exceeded."),
    "ValidationErrorDetails.limit": FieldDoc("Limit of the quota."),
    "ValidationErrorDetails.used": FieldDoc("Number in use."),
    "AlternativeSlot.start": FieldDoc(
        "Start time in the business's time zone, as accepted by `start`.", "2026-11-16T10:15:00"
    ),
    "TimeslotUnavailableDetails.reason": FieldDoc("Why the time slot is unavailable.", "booked"),
    "alternatives": FieldDoc("Nearest available time slots, at most three."),
    "payment_method_ids": FieldDoc("Active payment methods of this type."),
    "OrderNotReschedulableDetails.reason": FieldDoc("Why the order cannot be rescheduled.", "canceled"),
    "HoldLimitReachedDetails.reason": FieldDoc("Why the time slot is not held.", "client"),
    "VersionConflictDetails.version": FieldDoc("The version that the record has now.", 8),
    "ExportLimitReachedDetails.reason": FieldDoc(
        "`open`: others wait or are written. `stored`: others are kept for a day.", "open"
    ),
    "ExportLimitReachedDetails.limit": FieldDoc("How many a business can have.", 2),
    "ExportLimitReachedDetails.retry_after": FieldDoc("Seconds to wait before asking again.", 5),
    "RateLimitExceededDetails.retry_after": FieldDoc("Seconds to wait before the next request.", 12),
    "RateLimitExceededDetails.limit": FieldDoc("Maximum number of requests per minute.", 60),
    "BudgetExceededDetails.scope": FieldDoc("Scope whose budget is used up.", "customers:read"),
    "BudgetExceededDetails.allowed": FieldDoc("Records that the business allows today.", 200),
    "BudgetExceededDetails.used": FieldDoc("Records that were read today.", 180),
    "BudgetExceededDetails.records": FieldDoc("Records that this response would have had.", 25),
    "BudgetExceededDetails.retry_after": FieldDoc("Seconds until the business's next day begins.", 12600),
    "expected": FieldDoc("Amounts calculated by the service."),
    "ExpectedTotals.lines": FieldDoc("Total of each line, in the order of the request.", ["120.00"]),
}


class Details(msgspec.Struct, frozen=True):
    kind: type[msgspec.Struct]
    required: bool = True  # whether every response with this code has them


# None: a response with this code has no details.
DETAILS: Mapping[Code, Details | None] = {
    Code.AUTHENTICATION_FAILED: None,
    Code.INSUFFICIENT_SCOPE: Details(InsufficientScopeDetails),
    Code.FEATURE_DISABLED: None,
    Code.BUSINESS_SUSPENDED: None,
    Code.BUDGET_EXCEEDED: Details(BudgetExceededDetails),
    Code.VALIDATION_ERROR: Details(ValidationErrorDetails, required=False),
    Code.TIMESLOT_UNAVAILABLE: Details(TimeslotUnavailableDetails),
    Code.PAYMENT_METHOD_NOT_FOUND: None,
    Code.PAYMENT_METHOD_TYPE_AMBIGUOUS: Details(PaymentMethodTypeAmbiguousDetails),
    Code.PAYMENT_METHOD_REQUIRED: None,
    Code.PAYMENT_METHOD_UNAVAILABLE: None,
    Code.ORDER_HAS_INVOICE: None,
    Code.INVALID_STATUS_TRANSITION: None,
    Code.RATE_LIMIT_EXCEEDED: Details(RateLimitExceededDetails),
    Code.AVAILABILITY_CHECK_FAILED: None,
    Code.NOT_FOUND: None,
    Code.BAD_REQUEST: None,
    Code.INVALID_GRANT: None,
    Code.TAG_ALREADY_EXISTS: None,
    Code.METHOD_NOT_ALLOWED: None,
    Code.PAYLOAD_TOO_LARGE: None,
    Code.REQUEST_TIMEOUT: None,
    Code.IDEMPOTENCY_KEY_IN_USE: None,
    Code.IDEMPOTENCY_KEY_REUSED: None,
    Code.ORDER_IS_DRAFT: None,
    Code.ORDER_CANCELED: None,
    Code.ORDER_NOT_RESCHEDULABLE: Details(OrderNotReschedulableDetails),
    Code.TOTAL_MISMATCH: Details(TotalMismatchDetails),
    Code.HOLD_LIMIT_REACHED: Details(HoldLimitReachedDetails),
    Code.EXPORT_LIMIT_REACHED: Details(ExportLimitReachedDetails),
    Code.VERSION_CONFLICT: Details(VersionConflictDetails),
    Code.EXTERNAL_ID_TAKEN: None,
    Code.GONE: None,
    Code.INTERNAL_ERROR: None,
    Code.SERVICE_UNAVAILABLE: None,
    Code.TEMPORARILY_UNAVAILABLE: None,
    Code.SANDBOX_ONLY: None,
}
