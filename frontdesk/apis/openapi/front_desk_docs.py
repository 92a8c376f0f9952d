"""Fields of what the front desk does for customers: notes, the waiting list, series, links."""

from frontdesk.apis.openapi.field_docs import FieldDoc

_ID = "018f3c1e-7d2a-7b1c-9a40-5f6e7d8c9b0a"
_VERSION = FieldDoc("The `version` that was read. If the record has another one meanwhile, nothing changes (409).")

FRONT_DESK_DOCS = {
    "CustomerNote.customer_id": FieldDoc("The customer whom the note is about.", _ID),
    "CustomerNote.author": FieldDoc("Name of the member who wrote it; null if an application did.", "Huda"),
    "text": FieldDoc("What it says, at most 1,000 characters.", "Allergic to latex: use other gloves"),
    "is_warning": FieldDoc("Whether the team sees it above everything else.", example=True),
    "CustomerNoteUpdate.version": _VERSION,
    "DistinctCustomer.customer_id": FieldDoc("The other customer.", _ID),
    "OrderItemReplace.id": FieldDoc("Identifier of the item or the package.", _ID),
    "OrderItemReplace.type": FieldDoc("Type of the item.", "product"),
    "OrderSeriesCreate.customer_id": FieldDoc("Customer of the orders.", _ID),
    "OrderItemReplace.line_id": FieldDoc("The line that stays; without it, the line is new.", _ID),
    "OrderItemReplace.staff_id": FieldDoc("Who performs the service; null: anyone who is free.", _ID),
    "OrderItemReplace.unit_amount": FieldDoc(
        "Price of one, with tax. By default that of the line, or of the catalog if it is new."
    ),
    "OrderItemReplace.discount_amount": FieldDoc("Discount of the line itself. By default as it is."),
    "OrderItemReplace.option_id": FieldDoc("The option that is sold."),
    "OrderItemsReplace.items": FieldDoc("All items that the order shall have."),
    "OrderItemsReplace.discount": FieldDoc("Discount of the whole order; null: none."),
    "OrderItemsReplace.start": FieldDoc(
        "Start of the appointment. Required if services of an appointment are added or take another time. An order"
        " without an appointment has none."
    ),
    "OrderItemsReplace.note": FieldDoc("Why it changes, for the history of the order."),
    "OrderItemsReplace.updated_at": FieldDoc(
        "The `updated_at` of the order that was read. If it has changed meanwhile, nothing changes (409)."
    ),
    "OrderDiscount.amount": FieldDoc("Percentage or amount.", 10.0),
    "OrderDiscount.type": FieldDoc("What `amount` is.", "percentage"),
    "OrderDiscount.apply_all": FieldDoc("Whether items get it that are sold without discounts.", example=False),
    "OrderArrival.arrived": FieldDoc("Whether the customer has come.", example=True),
    "CustomerLink.order_id": FieldDoc("The order.", _ID),
    "CustomerLink.url": FieldDoc(
        "The address, which needs no account.", "https://frontdesk.example.com/book/noor/7K2M"
    ),
    "every_weeks": FieldDoc("Weeks from one appointment to the next.", 2),
    "OrderSeries.orders": FieldDoc("All orders of the series, by their start."),
    "OrderOfSeries.start": FieldDoc("Start of the appointment.", "2026-12-01T10:00:00+03:00"),
    "OrderOfSeries.status": FieldDoc("Status of the order.", "confirmed"),
    "OrderSeriesCreate.items": FieldDoc("The items of each order."),
    "OrderSeriesCreate.start": FieldDoc("The first appointment. Send it without an offset.", "2026-12-01T10:00"),
    "OrderSeriesCreate.times": FieldDoc("How many appointments. Either this or `until` is required.", 6),
    "OrderSeriesCreate.until": FieldDoc("The day after which none begins.", "2027-02-28"),
    "OrderSeriesCreate.note": FieldDoc("Free text on each order."),
    "OrderSeriesCancel.following": FieldDoc("Whether those after it are canceled too.", example=True),
    "OrderSeriesCancel.reason": FieldDoc("A reason from the list of the business, in any of its languages."),
    "OrderSeriesCancel.note_for_status": FieldDoc("Note for the history of the orders."),
    "OrderSeriesCancel.notify": FieldDoc("Whether the customer gets a message; by default as the business has set."),
    "WaitingListEntry.customer_id": FieldDoc("The customer who waits.", _ID),
    "WaitingListEntry.service_ids": FieldDoc("The services, one directly after the other.", [_ID]),
    "WaitingListEntry.staff_id": FieldDoc("Who is to perform them; null: anyone.", _ID),
    "WaitingListEntry.note": FieldDoc("For the team.", "Can be here in ten minutes"),
    "WaitingListCreate.customer_id": FieldDoc("The customer who waits.", _ID),
    **{
        f"{name}.{field}": doc
        for name in ("WaitingListCreate", "WaitingListReplace")
        for field, doc in {
            "service_ids": FieldDoc("The services, one directly after the other, at most three.", [_ID]),
            "staff_id": FieldDoc("Who is to perform them; null: anyone."),
            "last_day": FieldDoc("The last day that suits, at most a year later; by default the first."),
            "note": FieldDoc("For the team."),
        }.items()
    },
    "first_day": FieldDoc("The first day that suits.", "2026-12-01"),
    "WaitingListEntry.last_day": FieldDoc("The last day that suits.", "2026-12-05"),
    "part_of_day": FieldDoc(
        "When the visit begins: before 12:00, from then to 17:00, later, or any time.", "afternoon"
    ),
    "WaitingListReplace.version": _VERSION,
    "WaitingListQuery.customer_id": FieldDoc("Only entries of this customer.", _ID),
    "WaitingListQuery.staff_id": FieldDoc("Only entries for this staff member.", _ID),
    "WaitingListQuery.from": FieldDoc("Only entries whose last day is this one or later.", "2026-12-01"),
    "WaitingListQuery.to": FieldDoc("Only entries whose first day is this one or earlier.", "2026-12-05"),
    "WaitingListOffer.staff_id": FieldDoc("Who performs the first service at that time.", _ID),
    "WaitingListOffer.start": FieldDoc("The time; without an offset in the business's time zone.", "2026-12-02T15:00"),
}
