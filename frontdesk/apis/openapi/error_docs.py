"""Every error code: why it comes, what to do, and a body to show. The description and the guide are made of this."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from frontdesk.errors import Code


class ErrorDoc(NamedTuple):
    why: str
    what_to_do: str
    message: str
    errors: Mapping[str, list[str]] | None = None
    details: Mapping[str, Any] | None = None

    def example(self, code: Code) -> dict[str, Any]:
        body: dict[str, Any] = {"error": code.value, "message": self.message}
        if self.errors:
            body["errors"] = self.errors
        if self.details:
            body["details"] = self.details
        return body


_ID = "018f3c1e-7d2a-7b1c-9a40-5f6e7d8c9b0a"

ERROR_DOCS: Mapping[Code, ErrorDoc] = {
    Code.AUTHENTICATION_FAILED: ErrorDoc(
        "The token or key is missing, unknown, revoked or expired, or the client's secret is wrong.",
        "Take a new token; check the client id and secret, or the key.",
        "The token is unknown, revoked or expired: ask for a new one.",
    ),
    Code.INSUFFICIENT_SCOPE: ErrorDoc(
        "The token does not carry the scope that the request needs.",
        "Ask for the scope in details.scope when you take the token, and let the business approve it.",
        "This request needs the scope orders:write, which this token does not carry: "
        "ask for it when you take the token, and let the business approve it.",
        details={"scope": "orders:write"},
    ),
    Code.FEATURE_DISABLED: ErrorDoc(
        "The business's plan has no Open API.",
        "Tell the business; nothing you send will be answered until the plan changes.",
        "The Open API is not part of this business's plan.",
    ),
    Code.BUSINESS_SUSPENDED: ErrorDoc(
        "The operator of the service has suspended the business.",
        "Stop sending requests and tell the business. Tokens and keys work again when the business is resumed.",
        "This business is suspended. Ask the operator of this service.",
    ),
    Code.VALIDATION_ERROR: ErrorDoc(
        "Something in the body, the query or a header is missing, malformed or names an unknown record.",
        "Read errors: it names every broken field with the reason. Correct them; the same request fails again.",
        "items.0.quantity must be at least 1.",
        errors={"items.0.quantity": ["must be at least 1"]},
    ),
    Code.TIMESLOT_UNAVAILABLE: ErrorDoc(
        "The start is taken, outside working hours, in time off, past or off the grid.",
        "Take one of details.alternatives (`start` for the order, `staff_id` for the line), or ask POST /availability.",
        "This time is not free.",
        details={"reason": "booked", "alternatives": [{"start": "2026-11-16T10:15:00", "staff_id": _ID}]},
    ),
    Code.PAYMENT_METHOD_NOT_FOUND: ErrorDoc(
        "The payment method's id is not one of this business, or no active method has the type.",
        "Read GET /payment-methods and send one of its ids.",
        "The business has no such active payment method.",
    ),
    Code.PAYMENT_METHOD_TYPE_AMBIGUOUS: ErrorDoc(
        "Several active methods have the type.",
        "Send payment_method_id, one of details.payment_method_ids.",
        "Several active payment methods have this type: send payment_method_id.",
        details={"payment_method_ids": [_ID]},
    ),
    Code.PAYMENT_METHOD_REQUIRED: ErrorDoc(
        "The payment has an amount but names no method.",
        "Send payment_method_id or payment_method_type.",
        "The payment names no method: send payment_method_id or payment_method_type.",
    ),
    Code.PAYMENT_METHOD_UNAVAILABLE: ErrorDoc(
        "The application that brought the payment method is no longer installed.",
        "Use another method.",
        "The application behind this payment method is no longer installed.",
    ),
    Code.ORDER_HAS_INVOICE: ErrorDoc(
        "The order has an invoice, which is final.",
        "Refund everything that was paid; then the order can be canceled.",
        "The order has an invoice.",
    ),
    Code.INVALID_STATUS_TRANSITION: ErrorDoc(
        "The order was refunded and cannot be canceled, or it was canceled and refunded and cannot come back.",
        "Refund the rest of a coming appointment before you cancel it. Place a new order instead of a canceled one.",
        "The order has been refunded.",
    ),
    Code.RATE_LIMIT_EXCEEDED: ErrorDoc(
        "More requests in the last minute than the client or key may send, or too many wrong secrets.",
        "Wait Retry-After seconds. The refused request cost nothing.",
        "More than 60 requests in a minute. Try again in 12 s.",
        details={"limit": 60, "retry_after": 12},
    ),
    Code.AVAILABILITY_CHECK_FAILED: ErrorDoc(
        "The service could not check in time whether the time is free. Nothing was created.",
        "Send the same request again.",
        "Availability could not be checked. Nothing was created; try again.",
    ),
    Code.NOT_FOUND: ErrorDoc(
        "The record named in the path does not exist in this business, or the address does not exist at all.",
        "Check the id and the address.",
        "No such order.",
    ),
    Code.BAD_REQUEST: ErrorDoc(
        "Something is wrong with the query or the body of a request for a new tag, or the request is not valid HTTP.",
        "Read errors: it names every broken field with the reason.",
        "name must not be empty.",
        errors={"name": ["must not be empty"]},
    ),
    Code.TAG_ALREADY_EXISTS: ErrorDoc(
        "The business has a tag of that name, in whatever case.",
        "Use the one that is there: GET /tags.",
        "There is a tag of this name already.",
    ),
    Code.METHOD_NOT_ALLOWED: ErrorDoc(
        "The address exists but does not answer this method.",
        "Use one of the methods in Allow.",
        "This address answers GET, HEAD.",
    ),
    Code.REQUEST_TIMEOUT: ErrorDoc(
        "The request did not arrive in time: its head within 10 seconds, its body within 30. Nothing was made.",
        "Send the same request again, over a new connection.",
        "The body of the request did not arrive in time.",
    ),
    Code.PAYLOAD_TOO_LARGE: ErrorDoc(
        "The body has more than 1 MiB; at the token endpoints, more than 8 KiB.",
        "Send less at once.",
        "The body is larger than 1048576 bytes.",
    ),
    Code.IDEMPOTENCY_KEY_IN_USE: ErrorDoc(
        "The first request with this Idempotency-Key is still running.",
        "Send the same request again after Retry-After seconds; it gets the first one's answer.",
        "Ask again shortly.",
    ),
    Code.IDEMPOTENCY_KEY_REUSED: ErrorDoc(
        "The Idempotency-Key was used for another request in the last 24 hours.",
        "Use a key of its own for each thing you want done.",
        "This Idempotency-Key was used for another request.",
    ),
    Code.ORDER_IS_DRAFT: ErrorDoc(
        "The order is a draft: it takes no payment, and only a draft can be replaced.",
        "Confirm the draft first.",
        "The order is a draft.",
    ),
    Code.ORDER_CANCELED: ErrorDoc(
        "The order is canceled and takes no payment.",
        "Give it another status first, if it is to be kept after all.",
        "The order is canceled.",
    ),
    Code.ORDER_NOT_RESCHEDULABLE: ErrorDoc(
        "The order is a draft, canceled or completed, or it has no appointment; details.reason says which.",
        "Confirm the draft, or take the order out of canceled, and send it again; otherwise place a new order.",
        "The order is completed: its appointment is over.",
        details={"reason": "completed"},
    ),
    Code.TOTAL_MISMATCH: ErrorDoc(
        "The sums a till sent are not those of the service.",
        "Take details.expected, or calculate anew with POST /pos/checkout-calculate.",
        "The sums differ.",
        details={
            "expected": {"sub_total": "120.00", "discount_amount": "12.00", "total": "108.00", "lines": ["120.00"]}
        },
    ),
    Code.GONE: ErrorDoc(
        "The operation was announced to end, by Deprecation and Sunset, and has ended.",
        "Use the successor named in Link; the changelog tells of it.",
        "This operation ended on 2028-01-01.",
    ),
    Code.INTERNAL_ERROR: ErrorDoc(
        "A fault of the service.",
        "Send the request again later, with the same Idempotency-Key; quote the X-Request-Id when you ask somebody.",
        "Something went wrong here. Request id: 3f1c9a.",
    ),
    Code.TEMPORARILY_UNAVAILABLE: ErrorDoc(
        "The request waited too long for a lock or a query in the database. Nothing was changed.",
        "Send the same request again after Retry-After seconds.",
        "The request waited too long for another one. Nothing was changed; try again.",
    ),
    Code.SERVICE_UNAVAILABLE: ErrorDoc(
        "The service cannot reach its database, or somebody else holds what the request needs. Nothing was made.",
        "Send the same request again after Retry-After seconds.",
        "The database does not answer. Try again shortly.",
    ),
}
