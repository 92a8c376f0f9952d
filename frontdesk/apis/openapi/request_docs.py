"""The fields of requests to the Open API, and the parameters of lists."""

from frontdesk.apis.openapi.field_docs import FieldDoc

_ID = "018f3c1e-7d2a-7b1c-9a40-5f6e7d8c9b0a"

REQUEST_DOCS = {
    "page": FieldDoc("Which page of the list.", 1),
    "per_page": FieldDoc("How many records a page has.", 25),
    "CategoryQuery.branch_id": FieldDoc("Only of this branch.", _ID),
    "StaffQuery.branch_id": FieldDoc("Only of this branch.", _ID),
    "ItemQuery.type": FieldDoc("Only services or only products.", "service"),
    "PosItemQuery.type": FieldDoc("Only services or only products.", "service"),
    "ItemQuery.name": FieldDoc("Part of the name in any language, in any case.", "hair"),
    "PosItemQuery.name": FieldDoc("Part of the name in any language, in any case.", "hair"),
    "StaffQuery.name": FieldDoc("Part of the name, in any case.", "nou"),
    "CustomerQuery.name": FieldDoc("Part of first name, last name or both, in any case.", "sar"),
    "CustomerQuery.phone": FieldDoc("Part of the number; only digits are compared.", "5012"),
    "CustomerQuery.email": FieldDoc("Part of the address, in any case.", "example.com"),
    "PhoneQuery.phone": FieldDoc(
        "International number with or without a leading + (as %2B) or 00; only digits are compared.", "+966501234567"
    ),
    "from": FieldDoc("First day, of the business's calendar.", "2026-11-01"),
    "to": FieldDoc("Last day, included.", "2026-11-30"),
    "OrderQuery.status": FieldDoc("Only in this status.", "confirmed"),
    "OrderQuery.payment_status": FieldDoc("Only those of which so much is paid.", "unpaid"),
    "OrderQuery.customer_id": FieldDoc("Only of this customer.", _ID),
    "OrderQuery.staff_id": FieldDoc("Only with a line that this member of staff performs.", _ID),
    "OrderQuery.branch_id": FieldDoc("Only of this branch.", _ID),
    "starts_from": FieldDoc("First day of the appointment, of the business's calendar.", "2026-11-16"),
    "starts_to": FieldDoc("Last day of the appointment, included.", "2026-11-22"),
    "updated_since": FieldDoc(
        "Only those that changed at this moment or later. Without an offset it is the business's local time.",
        "2026-11-15T08:30:00Z",
    ),
    "TransactionQuery.status": FieldDoc("Only in this status.", "confirmed"),
    "TransactionQuery.order_id": FieldDoc("Only of this order.", _ID),
    "booking_id": FieldDoc("Only of the order with this booking.", _ID),
    # tokens
    "grant_type": FieldDoc("The one grant there is.", "client_credentials"),
    "client_id": FieldDoc("The client's identifier; may come as HTTP Basic instead.", "fdc_…"),
    "client_secret": FieldDoc("The client's secret; may come as HTTP Basic instead.", "fds_…"),
    "TokenRequest.scope": FieldDoc(
        "Scopes separated by spaces; empty, absent or * for whatever the business approves.", ""
    ),
    "token": FieldDoc("The token in question.", "fdt_…"),
    "token_type_hint": FieldDoc("Not needed: there is one type.", "access_token"),
    # customers and payment methods
    "CustomerCreate.email": FieldDoc("E-mail address; its domain is looked up.", "sara@example.com"),
    "CustomerCreate.phone": FieldDoc("Phone number, unique in the business.", "0501234567"),
    "CustomerCreate.phone_country": FieldDoc("Country the number is written for; required with phone.", "SA"),
    "CustomerCreate.type": FieldDoc("A person, which is the default, or a company.", "individual"),
    "CustomerUpdate.email": FieldDoc("E-mail address; its domain is looked up. Null clears it.", "sara@example.com"),
    "CustomerUpdate.phone": FieldDoc("Phone number, unique in the business. Null clears it.", "0501234567"),
    "CustomerUpdate.phone_country": FieldDoc("Country the number is written for; required with phone.", "SA"),
    "CustomerUpdate.type": FieldDoc("A person or a company; null for a person.", "individual"),
    "PaymentMethodCreate.name": FieldDoc("Name to show.", "Petty cash"),
    "PaymentMethodCreate.type": FieldDoc("The others are made in the dashboard.", "cash"),
    "PaymentMethodCreate.status": FieldDoc("Whether it can be used.", example=True),
    # free times
    "AvailabilityRequest.service_id": FieldDoc("The service.", _ID),
    "AvailabilityRequest.date": FieldDoc("First day of the window.", "2026-11-16"),
    "AvailabilityRequest.staff_id": FieldDoc("Only this provider; otherwise everybody who performs the service."),
    "AvailabilityRequest.quantity": FieldDoc("Makes the appointment that many times as long.", 1),
    "visible_days": FieldDoc("How many days the window has.", 7),
    "next_availability": FieldDoc("Begin at the first day that has something, up to 90 days on.", example=True),
    "AvailabilityRequest.explain": FieldDoc("Also tell why the other starts are not offered.", example=False),
    # orders
    "OrderCreate.customer_id": FieldDoc("Who orders.", _ID),
    "OrderCreate.items": FieldDoc("What is ordered; services run one after the other in this order."),
    "OrderCreate.start": FieldDoc(
        "When it begins; required with a service. Without an offset it is the business's local time.",
        "2026-11-16T10:00:00",
    ),
    "payment": FieldDoc("Pay in the same request; needs the scope transactions:write."),
    "OrderItemCreate.id": FieldDoc("The service, product or package.", _ID),
    "OrderItemCreate.type": FieldDoc("What it is.", "service"),
    "OrderItemCreate.staff_id": FieldDoc("Who should perform it; otherwise the least booked who is free."),
    "OrderItemCreate.unit_amount": FieldDoc("Price of one in place of the catalogue's.", 120.0),
    "OrderItemCreate.discount_amount": FieldDoc("Discount on the whole line.", 0),
    "InlinePayment.amount": FieldDoc("At most the order's total.", 120.0),
    "InlinePayment.payment_method_id": FieldDoc("The method; counts where the type is given too."),
    "payment_method_type": FieldDoc("The type of method, if exactly one active method has it.", "cash"),
    "InlinePayment.date": FieldDoc("When it was paid; now when absent.", "2026-11-15T11:30:00"),
    "OrderStatusUpdate.status": FieldDoc("The status it should have.", "completed"),
    "OrderReschedule.start": FieldDoc(
        "When it begins from now on. Without an offset it is the business's local time.", "2026-11-17T14:30:00"
    ),
    "OrderReschedule.items": FieldDoc("Lines that get another provider; the others keep theirs."),
    "StaffAssignment.line_id": FieldDoc("A service line of the order.", _ID),
    "StaffAssignment.staff_id": FieldDoc("Who performs it from now on; null for the least booked who is free."),
    "PaymentCreate.amount": FieldDoc("At most what is left to pay.", 120.0),
    "PaymentCreate.date": FieldDoc("When it was paid; now when absent.", "2026-11-15T11:30:00"),
}
