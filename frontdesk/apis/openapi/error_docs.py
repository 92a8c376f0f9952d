"""Every error code: its cause, what to do, and an example. Source of the OpenAPI description and the guide."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from frontdesk.http.errors import Code
from frontdesk.http.responses import error_body


class ErrorDoc(NamedTuple):
    why: str
    what_to_do: str
    message: str
    errors: Mapping[str, list[str]] | None = None
    details: Mapping[str, Any] | None = None

    def example(self, code: Code, origin: str = "https://desk.example.com") -> dict[str, Any]:
        body = error_body(code, self.message, _REQUEST_ID, origin)
        if self.errors:
            body["errors"] = self.errors
        if self.details:
            body["details"] = self.details
        return body


_REQUEST_ID = "3f1c9a"
_ID = "018f3c1e-7d2a-7b1c-9a40-5f6e7d8c9b0a"

ERROR_DOCS: Mapping[Code, ErrorDoc] = {
    Code.AUTHENTICATION_FAILED: ErrorDoc(
        "The token or key is missing, unknown, revoked or expired, or the client credentials are wrong.",
        "Request a new token. Check the client id and secret, or the API key.",
        "The access token is unknown, revoked or expired. Request a new one.",
    ),
    Code.INSUFFICIENT_SCOPE: ErrorDoc(
        "The token does not have the scope that the request requires.",
        "Request a token that includes the scope in `details.scope`. If the business does not approve it yet, ask it "
        "first; the message says so.",
        "This request requires the scope orders:write, which this token does not have. "
        "Ask the business to approve it, then request a new token.",
        details={"scope": "orders:write"},
    ),
    Code.FEATURE_DISABLED: ErrorDoc(
        "The plan of the business does not include the Open API.",
        "Contact the business. Requests fail until its plan changes.",
        "The plan of this business does not include the Open API.",
    ),
    Code.BUSINESS_SUSPENDED: ErrorDoc(
        "The operator of the service has suspended the business.",
        "Stop sending requests and contact the business. Tokens and keys work again when the suspension ends.",
        "This business is suspended. Contact the operator of this service.",
    ),
    Code.BUDGET_EXCEEDED: ErrorDoc(
        "The business limits how many records a day this client reads with the scope. The response would exceed it.",
        "Request fewer records with `per_page`, wait until the next day, or ask the business to allow more. "
        "Other scopes go on working.",
        "The business allows this client to read 200 records a day with customers:read. 180 are read, and this "
        "response has 25 more. Ask the business for more, or try again tomorrow.",
        details={"scope": "customers:read", "allowed": 200, "used": 180, "records": 25, "retry_after": 12600},
    ),
    Code.VALIDATION_ERROR: ErrorDoc(
        "The body, the query or a header is missing a value, has an invalid value, or refers to an unknown record.",
        "Correct every field listed in `errors`. Sending the same request again fails again.",
        "items.0.quantity must be at least 1.",
        errors={"items.0.quantity": ["must be at least 1"]},
    ),
    Code.TIMESLOT_UNAVAILABLE: ErrorDoc(
        "The start time is booked, outside working hours, in time off, in the past or off the booking grid.",
        "Send one of `details.alternatives` (`start` for the order, `staff_id` for the item), "
        "or search with `POST /availability`.",
        "The requested time slot is not available.",
        details={"reason": "booked", "alternatives": [{"start": "2026-11-16T10:15:00", "staff_id": _ID}]},
    ),
    Code.PAYMENT_METHOD_NOT_FOUND: ErrorDoc(
        "The business has no payment method with this id, or no active payment method of this type.",
        "Send an id from `GET /payment-methods`.",
        "The business has no such active payment method.",
    ),
    Code.PAYMENT_METHOD_TYPE_AMBIGUOUS: ErrorDoc(
        "Several active payment methods have this type.",
        "Send `payment_method_id`, one of `details.payment_method_ids`.",
        "Several active payment methods have this type. Send payment_method_id instead.",
        details={"payment_method_ids": [_ID]},
    ),
    Code.PAYMENT_METHOD_REQUIRED: ErrorDoc(
        "The payment has an amount but no payment method.",
        "Send `payment_method_id` or `payment_method_type`.",
        "The payment has no payment method. Send payment_method_id or payment_method_type.",
    ),
    Code.PAYMENT_METHOD_UNAVAILABLE: ErrorDoc(
        "The application that provides the payment method is no longer installed.",
        "Use another payment method.",
        "The application that provides this payment method is no longer installed.",
    ),
    Code.ORDER_HAS_INVOICE: ErrorDoc(
        "The order has an invoice, and no change of the status cancels it.",
        "Use `POST /orders/{uuid}/cancel` of the Open API, a refund with `cancel_order`, or the dashboard. Each issues "
        "a credit note.",
        "The order has an invoice. "
        "Cancel it with POST /orders/{uuid}/cancel, a refund with cancel_order, or in the dashboard.",
    ),
    Code.INVALID_STATUS_TRANSITION: ErrorDoc(
        "The order has refunds and no change of the status cancels it, or it was canceled and refunded and cannot be "
        "reopened, or it is a refund, which keeps its status, or it is completed, or has no appointment to give up.",
        "Use `POST /orders/{uuid}/cancel` of the Open API, a refund with `cancel_order`, or the dashboard. "
        "Create a new order instead of reopening a canceled one; refund one that is completed.",
        "The order has refunds. "
        "Cancel it with POST /orders/{uuid}/cancel, a refund with cancel_order, or in the dashboard.",
    ),
    Code.RATE_LIMIT_EXCEEDED: ErrorDoc(
        "The client or key sent more requests than its limit per minute, or too many requests with wrong credentials.",
        "Wait `Retry-After` seconds. Rejected requests do not count against the limit.",
        "Rate limit of 60 requests per minute exceeded. Try again in 12 s.",
        details={"limit": 60, "retry_after": 12},
    ),
    Code.AVAILABILITY_CHECK_FAILED: ErrorDoc(
        "Availability could not be checked in time. Nothing was changed.",
        "Send the same request again.",
        "Availability could not be checked. Nothing was changed. Try again.",
    ),
    Code.NOT_FOUND: ErrorDoc(
        "The business has no record with the id in the path, or the path does not exist.",
        "Check the id and the path.",
        "No such order.",
    ),
    Code.BAD_REQUEST: ErrorDoc(
        "A request to create a tag has an invalid query or body, or the request is not valid HTTP.",
        "Correct every field listed in `errors`.",
        "name must not be empty.",
        errors={"name": ["must not be empty"]},
    ),
    Code.INVALID_GRANT: ErrorDoc(
        "The authorization code is unknown, expired or already used, or belongs to another application, redirect "
        "address or code verifier.",
        "Ask the business to approve the application again. A code is valid for two minutes and can be used once.",
        "The code is wrong, expired or already used, or was issued to another application, redirect_uri or "
        "code_verifier.",
    ),
    Code.TAG_ALREADY_EXISTS: ErrorDoc(
        "The business already has a tag with this name. Names are case-insensitive.",
        "Use the existing tag from `GET /tags`.",
        "A tag with this name already exists.",
    ),
    Code.METHOD_NOT_ALLOWED: ErrorDoc(
        "The path exists but does not support this method.",
        "Use one of the methods in the `Allow` header.",
        "This path supports only GET, HEAD.",
    ),
    Code.REQUEST_TIMEOUT: ErrorDoc(
        "The request was not received in time: 10 seconds for the headers, 30 for the body. Nothing was changed.",
        "Send the same request again on a new connection.",
        "The request body was not received in time.",
    ),
    Code.PAYLOAD_TOO_LARGE: ErrorDoc(
        "The body is larger than 1 MiB, or 8 KiB at the token endpoints.",
        "Send a smaller body.",
        "The request body is larger than 1048576 bytes.",
    ),
    Code.IDEMPOTENCY_KEY_IN_USE: ErrorDoc(
        "The first request with this Idempotency-Key is still in progress.",
        "Send the same request again after `Retry-After` seconds. It returns the response of the first one.",
        "A request with this Idempotency-Key is still in progress. Try again shortly.",
    ),
    Code.IDEMPOTENCY_KEY_REUSED: ErrorDoc(
        "A different request with this Idempotency-Key has succeeded in the last 24 hours.",
        "Use one key for each job, and a new key for a new job.",
        "This Idempotency-Key was used for a different request. Use a new key for a new request.",
    ),
    Code.ORDER_IS_DRAFT: ErrorDoc(
        "The order is a draft, which takes no payments and no refunds.",
        "Confirm the draft first.",
        "The order is a draft. Confirm it before you record a payment.",
    ),
    Code.ORDER_CANCELED: ErrorDoc(
        "The order is canceled and takes no payments.",
        "Set another status first if the order is to go ahead.",
        "The order is canceled and takes no payments.",
    ),
    Code.ORDER_NOT_RESCHEDULABLE: ErrorDoc(
        "The order is a draft, canceled or completed, or has no appointment. `details.reason` says which.",
        "Confirm a draft, or set another status on a canceled order, then try again. Otherwise create a new order.",
        "The order is completed and cannot be rescheduled.",
        details={"reason": "completed"},
    ),
    Code.TOTAL_MISMATCH: ErrorDoc(
        "The totals sent by the till differ from those calculated by the service.",
        "Use `details.expected`, or calculate again with `POST /pos/checkout-calculate`.",
        "The totals differ from those calculated by the service. The expected total is 108.00.",
        details={
            "expected": {"sub_total": "120.00", "discount_amount": "12.00", "total": "108.00", "lines": ["120.00"]}
        },
    ),
    Code.HOLD_LIMIT_REACHED: ErrorDoc(
        "The time slot is free, but is not held: the client holds as many as it may, as much of the staff member's day "
        "is held as may be, or the appointment is longer than four hours. `details.reason` says which.",
        "Create the order without a hold, or release a hold that is no longer needed.",
        "This client holds as many time slots as it may.",
        details={"reason": "client"},
    ),
    Code.EXPORT_LIMIT_REACHED: ErrorDoc(
        "The business has as many exports as it may: two that wait or are written, or twenty that are kept for a day. "
        "`details.reason` says which.",
        "Send the same request again after `Retry-After` seconds. `GET /limits` has both limits.",
        "This business has 2 exports under way. Wait until one is done.",
        details={"reason": "open", "limit": 2, "retry_after": 5},
    ),
    Code.VERSION_CONFLICT: ErrorDoc(
        "The record was changed after it had the `version` or the `updated_at` that was sent. Nothing was changed.",
        "Read the record again, and send the change with its new `version`; or without one, to overwrite.",
        "This was changed after you read it. Read it again, then repeat the change.",
        details={"version": 8},
    ),
    Code.EXTERNAL_ID_TAKEN: ErrorDoc(
        "The application has stored this `external_id` with another record of the same kind. Nothing was changed.",
        "Find that record with `?external_id=`; send another `external_id`, or remove it there first.",
        "Another record has this external_id already.",
    ),
    Code.GONE: ErrorDoc(
        "The operation was deprecated and has reached its `Sunset` date.",
        "Use the successor in the `Link` header. The changelog describes it.",
        "This operation was removed on 2028-01-01.",
    ),
    Code.INTERNAL_ERROR: ErrorDoc(
        "The service has an internal error.",
        "Send the request again later with the same Idempotency-Key. Quote the `request_id` when you ask for help.",
        "Internal error. Request id: 3f1c9a.",
    ),
    Code.TEMPORARILY_UNAVAILABLE: ErrorDoc(
        "The request waited too long for a database lock or query. Nothing was changed.",
        "Send the same request again after `Retry-After` seconds.",
        "The request waited too long for a concurrent one. Nothing was changed. Try again.",
    ),
    Code.SERVICE_UNAVAILABLE: ErrorDoc(
        "The service cannot reach its database, or too many requests of the business are waiting. "
        "A write that was cut off may have been done.",
        "Send the same request again after `Retry-After` seconds, a write with the same Idempotency-Key.",
        "The database is unavailable. Try again shortly.",
    ),
    Code.SANDBOX_ONLY: ErrorDoc(
        "Only a sandbox has a clock, faults and snapshots, and this business is none.",
        "Use the client of your sandbox.",
        "Only a sandbox can do this, and this business is none.",
    ),
}
