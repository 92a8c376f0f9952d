"""What the fields of `POST /availability/explain` mean."""

from frontdesk.apis.openapi.field_docs import FieldDoc

START_DOCS = {
    "ExplainedStart.start": FieldDoc("Local start time that is explained.", "2026-11-16T15:00:00"),
    "ExplainedStart.bookable": FieldDoc("Whether the start is offered with any of the staff members.", example=False),
    "ExplainedStart.staff": FieldDoc("Every staff member who was asked about, in the order of the business."),
    "ExplainedStart.nearest": FieldDoc("Nearest start times that are offered, at most three."),
    "StaffAtStart.staff": FieldDoc("The staff member."),
    "StaffAtStart.bookable": FieldDoc("Whether the start is offered with this staff member.", example=False),
    "StaffAtStart.reasons": FieldDoc("All that speaks against the start; empty if it is offered."),
    "NamedStaff.name": FieldDoc("Name; null without the scope `staff:read`.", "Noura Al-Harbi"),
    "StartReason.code": FieldDoc("Stable code of the reason.", "booked"),
    "StartReason.message": FieldDoc("The reason in words.", "The staff member is booked."),
    "StartReason.date": FieldDoc("Day that is closed or has other hours.", "2026-11-16"),
    "StartReason.note": FieldDoc("What the business calls that day.", "National day"),
    "StartReason.hours": FieldDoc("Local hours of that day, if the start is outside them."),
    "OpenHours.from": FieldDoc("When they begin.", "2026-11-16T10:00:00"),
    "OpenHours.to": FieldDoc("When they end.", "2026-11-16T18:00:00"),
    "StartReason.start": FieldDoc("Local time at which what takes the time begins.", "2026-11-16T15:00:00"),
    "StartReason.end": FieldDoc("Local time at which it ends.", "2026-11-16T17:00:00"),
    "StartReason.until": FieldDoc("When the hold ends, or when the hours end that the appointment would cross."),
    "StartReason.minutes": FieldDoc(
        "Minutes that the appointment takes, between starts, or by which a booking is too near.", 15
    ),
    "StartReason.starts": FieldDoc("Nearest starts that are possible, if this minute is not.", ["2026-11-16T15:15:00"]),
    "StartReason.order": FieldDoc("Order of the booking; null without the scope `orders:read`."),
    "OrderAtStart.customer": FieldDoc("Customer of the order; null without the scope `customers:read`."),
    "NearestStart.start": FieldDoc("Local start time, to be sent as `start`.", "2026-11-16T17:15:00"),
    "NearestStart.staff_id": FieldDoc("Staff member who is free then."),
}
