"""The fields of requests to the Open API, and the parameters of lists."""

from frontdesk.apis.openapi.field_docs import Word

_ID = "018f3c1e-7d2a-7b1c-9a40-5f6e7d8c9b0a"

REQUEST_WORDS = {
    "page": Word("Which page of the list.", 1),
    "per_page": Word("How many records a page has.", 25),
    "CategoryQuery.branch_id": Word("Only of this branch.", _ID),
    "StaffQuery.branch_id": Word("Only of this branch.", _ID),
    "ItemQuery.type": Word("Only services or only products.", "service"),
    "TillItemQuery.type": Word("Only services or only products.", "service"),
    "ItemQuery.name": Word("Part of the name in any language, in any case.", "hair"),
    "TillItemQuery.name": Word("Part of the name in any language, in any case.", "hair"),
    "StaffQuery.name": Word("Part of the name, in any case.", "nou"),
    "CustomerQuery.name": Word("Part of first name, last name or both, in any case.", "sar"),
    "CustomerQuery.phone": Word("Part of the number; only digits are compared.", "5012"),
    "CustomerQuery.email": Word("Part of the address, in any case.", "example.com"),
    "PhoneQuery.phone": Word(
        "International number with or without a leading + (as %2B) or 00; only digits are compared.", "+966501234567"
    ),
    "from": Word("First day, of the business's calendar.", "2026-11-01"),
    "to": Word("Last day, included.", "2026-11-30"),
    "OrderQuery.status": Word("Only in this status.", "confirmed"),
    "OrderQuery.payment_status": Word("Only those of which so much is paid.", "unpaid"),
    "OrderQuery.customer_id": Word("Only of this customer.", _ID),
    "OrderQuery.staff_id": Word("Only with a line that this member of staff performs.", _ID),
    "OrderQuery.branch_id": Word("Only of this branch.", _ID),
    "starts_from": Word("First day of the appointment, of the business's calendar.", "2026-11-16"),
    "starts_to": Word("Last day of the appointment, included.", "2026-11-22"),
    "updated_since": Word(
        "Only those that changed at this moment or later. Without an offset it is the business's local time.",
        "2026-11-15T08:30:00Z",
    ),
    "TransactionQuery.status": Word("Only in this status.", "confirmed"),
    "TransactionQuery.order_id": Word("Only of this order.", _ID),
    "booking_id": Word("Only of the order with this booking.", _ID),
    # tokens
    "grant_type": Word("The one grant there is.", "client_credentials"),
    "client_id": Word("The client's identifier; may come as HTTP Basic instead.", "fdc_…"),
    "client_secret": Word("The client's secret; may come as HTTP Basic instead.", "fds_…"),
    "TokenRequest.scope": Word(
        "Scopes separated by spaces; empty, absent or * for whatever the business approves.", ""
    ),
    "token": Word("The token in question.", "fdt_…"),
    "token_type_hint": Word("Not needed: there is one type.", "access_token"),
    # customers and payment methods
    "CustomerToCreate.email": Word("E-mail address; its domain is looked up.", "sara@example.com"),
    "CustomerToCreate.phone": Word("Phone number, unique in the business.", "0501234567"),
    "CustomerToCreate.phone_country": Word("Country the number is written for; required with phone.", "SA"),
    "CustomerToCreate.type": Word("A person, which is the default, or a company.", "individual"),
    "CustomerToChange.email": Word("E-mail address; its domain is looked up. Null clears it.", "sara@example.com"),
    "CustomerToChange.phone": Word("Phone number, unique in the business. Null clears it.", "0501234567"),
    "CustomerToChange.phone_country": Word("Country the number is written for; required with phone.", "SA"),
    "CustomerToChange.type": Word("A person or a company; null for a person.", "individual"),
    "NewPaymentMethod.name": Word("Name to show.", "Petty cash"),
    "NewPaymentMethod.type": Word("The others are made in the dashboard.", "cash"),
    "NewPaymentMethod.status": Word("Whether it can be used.", example=True),
    # free times
    "AvailabilityQuestion.service_id": Word("The service.", _ID),
    "AvailabilityQuestion.date": Word("First day of the window.", "2026-11-16"),
    "AvailabilityQuestion.staff_id": Word("Only this provider; otherwise everybody who performs the service."),
    "AvailabilityQuestion.quantity": Word("Makes the appointment that many times as long.", 1),
    "visible_days": Word("How many days the window has.", 7),
    "next_availability": Word("Begin at the first day that has something, up to 90 days on.", example=True),
    "AvailabilityQuestion.explain": Word("Also tell why the other starts are not offered.", example=False),
    # orders
    "OrderToPlace.customer_id": Word("Who orders.", _ID),
    "OrderToPlace.items": Word("What is ordered; services run one after the other in this order."),
    "OrderToPlace.start": Word(
        "When it begins; required with a service. Without an offset it is the business's local time.",
        "2026-11-16T10:00:00",
    ),
    "payment": Word("Pay in the same request; needs the scope transactions:write."),
    "OrderLine.id": Word("The service, product or package.", _ID),
    "OrderLine.type": Word("What it is.", "service"),
    "OrderLine.staff_id": Word("Who should perform it; otherwise the least booked who is free."),
    "OrderLine.unit_amount": Word("Price of one in place of the catalogue's.", 120.0),
    "OrderLine.discount_amount": Word("Discount on the whole line.", 0),
    "InlinePayment.amount": Word("At most the order's total.", 120.0),
    "InlinePayment.payment_method_id": Word("The method; counts where the type is given too."),
    "payment_method_type": Word("The type of method, if exactly one active method has it.", "cash"),
    "InlinePayment.date": Word("When it was paid; now when absent.", "2026-11-15T11:30:00"),
    "StatusToSet.status": Word("The status it should have.", "completed"),
    "TimeToSet.start": Word(
        "When it begins from now on. Without an offset it is the business's local time.", "2026-11-17T14:30:00"
    ),
    "TimeToSet.items": Word("Lines that get another provider; the others keep theirs."),
    "LineToReschedule.line_id": Word("A service line of the order.", _ID),
    "LineToReschedule.staff_id": Word("Who performs it from now on; null for the least booked who is free."),
    "PaymentToRecord.amount": Word("At most what is left to pay.", 120.0),
    "PaymentToRecord.date": Word("When it was paid; now when absent.", "2026-11-15T11:30:00"),
}
