"""Fields of Open API requests, and query parameters of lists."""

from frontdesk.apis.openapi.field_docs import FieldDoc

_ID = "018f3c1e-7d2a-7b1c-9a40-5f6e7d8c9b0a"
_POSITION = f"2026-11-15T08:30:00.000000Z_{_ID}"

REQUEST_DOCS = {
    "page": FieldDoc("Page number.", 1),
    "per_page": FieldDoc("Number of records per page.", 25),
    "CategoryQuery.branch_id": FieldDoc("Return only records of this branch.", _ID),
    "StaffQuery.branch_id": FieldDoc("Return only records of this branch.", _ID),
    "ItemQuery.type": FieldDoc("Return only items of this type.", "service"),
    "PosItemQuery.type": FieldDoc("Return only items of this type.", "service"),
    "ItemQuery.name": FieldDoc("Part of the name in any language, case-insensitive.", "hair"),
    "PosItemQuery.name": FieldDoc("Part of the name in any language, case-insensitive.", "hair"),
    "StaffQuery.name": FieldDoc("Part of the name, case-insensitive.", "nou"),
    "CustomerQuery.name": FieldDoc("Part of the first name, the last name or both, case-insensitive.", "sar"),
    "CustomerQuery.phone": FieldDoc("Part of the phone number. Only digits are compared.", "5012"),
    "CustomerQuery.email": FieldDoc("Part of the e-mail address, case-insensitive.", "example.com"),
    "PhoneQuery.phone": FieldDoc(
        "International phone number, with or without a leading `+` (encoded as `%2B`) or `00`. Only digits are "
        "compared.",
        "+966501234567",
    ),
    "from": FieldDoc("First day, inclusive, in the business's time zone, from 1970 to 2200.", "2026-11-01"),
    "to": FieldDoc("Last day, inclusive, in the business's time zone, from 1970 to 2200.", "2026-11-30"),
    "TimeOffQuery.status": FieldDoc("Return only time off with this status.", "requested"),
    "TimeOffQuery.staff_id": FieldDoc("Return only time off of this staff member.", _ID),
    "DayQuery.day": FieldDoc("The day.", "2026-12-02"),
    "OrderQuery.status": FieldDoc("Return only orders with this status.", "confirmed"),
    "OrderQuery.payment_status": FieldDoc("Return only orders with this payment status.", "unpaid"),
    "OrderQuery.customer_id": FieldDoc("Return only orders of this customer.", _ID),
    "OrderQuery.staff_id": FieldDoc("Return only orders with an item performed by this staff member.", _ID),
    "OrderQuery.branch_id": FieldDoc("Return only orders of this branch.", _ID),
    "starts_from": FieldDoc("First day of the appointment, inclusive, in the business's time zone.", "2026-11-16"),
    "starts_to": FieldDoc("Last day of the appointment, inclusive, in the business's time zone.", "2026-11-22"),
    "updated_since": FieldDoc(
        "Return only records that changed at or after this time, the earliest change first. Without an offset, the "
        "time is in the business's time zone.",
        "2026-11-15T08:30:00Z",
    ),
    "after": FieldDoc("With `updated_since`: where the page before ended. `links.next` has it.", _POSITION),
    "since": FieldDoc(
        "Return only what was deleted at or after this time. Without an offset, the time is in the business's time "
        "zone.",
        "2026-11-15T08:30:00Z",
    ),
    "DeletionQuery.after": FieldDoc("Where the page before ended. `links.next` has it.", _POSITION),
    "DeletionQuery.resource": FieldDoc("Return only records of this kind.", "customer"),
    "TransactionQuery.status": FieldDoc("Return only transactions with this status.", "confirmed"),
    "TransactionQuery.order_id": FieldDoc("Return only transactions of this order.", _ID),
    "booking_id": FieldDoc("Return only transactions of the order that has this booking.", _ID),
    # sandboxes
    "advance": FieldDoc(
        "How far the clock moves: an ISO 8601 duration of weeks, days, hours, minutes and seconds.", "P1D"
    ),
    "SandboxClockMove.now": FieldDoc(
        "The time that the clock is moved to, not before its present one. Without an offset, in the time zone of the "
        "business. Instead of `advance`.",
        "2026-11-17T09:41:00+03:00",
    ),
    "SandboxFaultCreate.kind": FieldDoc(
        "What goes wrong: an error is answered, the answer is slow or lost, the token is revoked, or a delivery to a "
        "webhook is lost, doubled, late or out of order.",
        "error",
    ),
    "SandboxFaultCreate.status": FieldDoc(
        "HTTP status of an `error`; 500 if neither it nor `code` is sent. The first error code with this status is "
        "answered.",
        502,
    ),
    "SandboxFaultCreate.code": FieldDoc("Error code of an `error`.", "availability_check_failed"),
    "SandboxFaultCreate.route": FieldDoc(
        "Only this operation, written as in the reference; for the kinds that begin with `webhook_`, only events of "
        "this type. By default any.",
        "POST /orders",
    ),
    "SandboxFaultCreate.seconds": FieldDoc(
        "How slow (at most 12, default 5), how late (default 60), or how long out of order (default 10).", 5
    ),
    "SandboxFaultCreate.times": FieldDoc("How many requests or deliveries it befalls.", 1),
    "SandboxSnapshotCreate.name": FieldDoc("Name of the snapshot, for people.", "Before the refunds"),
    "SearchQuery.q": FieldDoc("What to search for.", "sara"),
    "SearchQuery.limit": FieldDoc("Records of each kind, at most 25.", 10),
    # tokens
    "grant_type": FieldDoc("OAuth 2.0 grant type. Must be `client_credentials`.", "client_credentials"),
    "client_id": FieldDoc("Client identifier. Can be sent in HTTP Basic authentication instead.", "fdc_…"),
    "client_secret": FieldDoc("Client secret. Can be sent in HTTP Basic authentication instead.", "fds_…"),
    "TokenRequest.scope": FieldDoc(
        "Scopes separated by spaces. If empty, omitted or `*`, the token has every scope that the business approves.",
        "",
    ),
    "CodeTokenRequest.grant_type": FieldDoc(
        "OAuth 2.0 grant type. Must be `authorization_code`.", "authorization_code"
    ),
    "CodeTokenRequest.client_id": FieldDoc("Client ID of the application, from its page.", "fda_…"),
    "CodeTokenRequest.client_secret": FieldDoc(
        "Must be empty or omitted: an application has no secret of its own, `code_verifier` proves who asks."
    ),
    "CodeTokenRequest.code": FieldDoc("The code that the redirect address received.", "fdo_…"),
    "redirect_uri": FieldDoc("The redirect address that received the code.", "https://books.example/connected"),
    "code_verifier": FieldDoc(
        "The secret whose SHA-256 hash was sent as `code_challenge` (PKCE, RFC 7636).",
        "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
    ),
    "token": FieldDoc("The access token.", "fdt_…"),
    "token_type_hint": FieldDoc("Ignored: access tokens are the only token type.", "access_token"),
    # customers and payment methods
    "ExportCreate.resources": FieldDoc("What to export.", ["customers", "orders"]),
    "CustomerCreate.email": FieldDoc("E-mail address. Its domain must exist in DNS.", "sara@example.com"),
    "CustomerCreate.phone": FieldDoc("Phone number, unique per business.", "0501234567"),
    "CustomerCreate.phone_country": FieldDoc(
        "ISO 3166-1 alpha-2 country code of the phone number. Required with `phone`.", "SA"
    ),
    "CustomerCreate.type": FieldDoc("`individual` or `company`. Defaults to `individual`.", "individual"),
    "CustomerUpdate.email": FieldDoc(
        "E-mail address. Its domain must exist in DNS. Null clears it.", "sara@example.com"
    ),
    "CustomerUpdate.phone": FieldDoc("Phone number, unique per business. Null clears it.", "0501234567"),
    "CustomerUpdate.phone_country": FieldDoc(
        "ISO 3166-1 alpha-2 country code of the phone number. Required with `phone`.", "SA"
    ),
    "CustomerUpdate.type": FieldDoc("`individual` or `company`. Null sets `individual`.", "individual"),
    "CustomerTag.name": FieldDoc("Name of the tag, in upper or lower case.", "Regular"),
    "CustomerTagQuery.tag_id": FieldDoc("Tag to take away.", _ID),
    "CustomerBlock.reason": FieldDoc("Why the customer is blocked, for the business.", "Did not come three times"),
    "CustomerMerge.customer_id": FieldDoc("Record that is merged into this one and deleted.", _ID),
    "take": FieldDoc(
        "Fields to take from the other record. By default, those that have no value in this one.", ["phone", "email"]
    ),
    "PaymentMethodCreate.name": FieldDoc("Display name.", "Petty cash"),
    "PaymentMethodUpdate.name": FieldDoc("Name by language.", {"en": "Petty cash"}),
    "PaymentMethodUpdate.status": FieldDoc("Whether the payment method can be used.", example=True),
    "PaymentMethodUpdate.version": FieldDoc(
        "The `version` that was read. If the record has another one meanwhile, nothing changes (409)."
    ),
    "PaymentMethodCreate.type": FieldDoc(
        "Type of the payment method. Other types are managed in the dashboard.", "cash"
    ),
    "PaymentMethodCreate.status": FieldDoc("Whether the payment method is active.", example=True),
    # availability
    "AvailabilityRequest.service_id": FieldDoc("Service to book.", _ID),
    "AvailabilityRequest.date": FieldDoc("First day of the window.", "2026-11-16"),
    "AvailabilityRequest.staff_id": FieldDoc(
        "Search only this staff member. By default, everyone who performs the service is searched."
    ),
    "AvailabilityRequest.quantity": FieldDoc("Multiplies the duration of the appointment.", 1),
    "visible_days": FieldDoc("Number of days in the window.", 7),
    "next_availability": FieldDoc(
        "If `date` has no slots, start the window at the next day that has some, at most 90 days later.", example=True
    ),
    "AvailabilityRequest.option_id": FieldDoc(
        "Option of the service, which may take another time. Required if the service is not sold without one "
        "(`base_sellable`)."
    ),
    "AvailabilityRequest.explain": FieldDoc("Also return why the other start times are unavailable.", example=False),
    "AvailabilityExplainRequest.service_id": FieldDoc("Service to book.", _ID),
    "AvailabilityExplainRequest.start": FieldDoc(
        "Start that is asked about. Without an offset, the time is in the business's time zone.", "2026-11-16T15:00:00"
    ),
    "AvailabilityExplainRequest.staff_id": FieldDoc(
        "Explain only this staff member. By default, everyone who performs the service or works in its branch."
    ),
    "AvailabilityExplainRequest.quantity": FieldDoc("Multiplies the duration of the appointment.", 1),
    "AvailabilityExplainRequest.option_id": FieldDoc(
        "Option of the service, which may take another time. Required if the service is not sold without one "
        "(`base_sellable`)."
    ),
    # holds
    "HoldCreate.service_id": FieldDoc("Service to book.", _ID),
    "HoldCreate.start": FieldDoc(
        "Start of the appointment. Without an offset, the time is in the business's time zone.", "2026-11-16T10:00:00"
    ),
    "HoldCreate.staff_id": FieldDoc("Staff member to hold. By default, the least booked one who is free."),
    "HoldCreate.option_id": FieldDoc(
        "Option of the service, which may take another time. Required if the service is not sold without one "
        "(`base_sellable`)."
    ),
    "HoldCreate.quantity": FieldDoc("Multiplies the duration of the appointment.", 1),
    # orders
    "OrderCreate.customer_id": FieldDoc("Customer of the order.", _ID),
    "OrderCreate.items": FieldDoc("Items to order. Services are booked one after another, in this order."),
    "OrderCreate.start": FieldDoc(
        "Start of the appointment. Required if an item is a service. Without an offset, the time is in the "
        "business's time zone.",
        "2026-11-16T10:00:00",
    ),
    "hold_id": FieldDoc(
        "Hold of this client (`POST /holds`). The order may take the time slot that it hides, and the hold ends. One "
        "that has ended already changes nothing."
    ),
    "payment": FieldDoc("Inline payment. Requires the scope `transactions:write`."),
    "OrderItemCreate.id": FieldDoc("Identifier of the service, product or package.", _ID),
    "OrderItemCreate.type": FieldDoc("Type of the item.", "service"),
    "OrderItemCreate.staff_id": FieldDoc(
        "Staff member to perform the service. By default, the least booked one who is free."
    ),
    "OrderItemCreate.unit_amount": FieldDoc("Unit price. Overrides the catalog price.", 120.0),
    "OrderItemCreate.discount_amount": FieldDoc("Discount on the whole line.", 0),
    "OrderItemCreate.option_id": FieldDoc(
        "Option of the item. Required if the item has options and is not sold without one (`base_sellable`)."
    ),
    "InlinePayment.amount": FieldDoc("Amount to pay, at most the order total.", 120.0),
    "InlinePayment.payment_method_id": FieldDoc("Payment method. Takes precedence over `payment_method_type`."),
    "payment_method_type": FieldDoc("Payment method type. Exactly one active payment method must have it.", "cash"),
    "InlinePayment.date": FieldDoc(
        "Time of payment, at most 24 hours ahead. Defaults to now. Without an offset, in the business's time zone.",
        "2026-11-15T11:30:00",
    ),
    "OrderStatusUpdate.status": FieldDoc("New status of the order.", "completed"),
    "OrderCancel.reason": FieldDoc(
        "Why the order is canceled: one of the reasons that the business lists, in any of its languages.",
        "The customer is ill",
    ),
    "OrderCancel.no_show": FieldDoc("Whether the customer did not come. Only for an appointment that has begun."),
    "OrderCancel.notify": FieldDoc(
        "Whether the customer gets a message. By default, the business's settings decide. None is sent for a no-show."
    ),
    "OrderReschedule.start": FieldDoc(
        "New start of the appointment. Without an offset, the time is in the business's time zone.",
        "2026-11-17T14:30:00",
    ),
    "OrderReschedule.items": FieldDoc("Lines to assign to another staff member. The other lines keep theirs."),
    "StaffAssignment.line_id": FieldDoc("Service line of the order.", _ID),
    "StaffAssignment.staff_id": FieldDoc(
        "Staff member to perform the service; null for the least booked one who is free."
    ),
    "OrderRefundCreate.amount": FieldDoc("Amount to refund. No products are returned.", 25.0),
    "OrderRefundCreate.payment_method_id": FieldDoc(
        "Payment method of the refund. By default, the methods of the payments are used, newest payment first.", _ID
    ),
    "OrderRefundCreate.reason": FieldDoc("Reason for the refund.", "Did not fit"),
    "PaymentCreate.amount": FieldDoc("Amount to pay, at most the remaining amount.", 120.0),
    "PaymentCreate.date": FieldDoc(
        "Time of payment, at most 24 hours ahead. Defaults to now. Without an offset, in the business's time zone.",
        "2026-11-15T11:30:00",
    ),
}
