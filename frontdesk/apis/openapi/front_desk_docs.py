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
