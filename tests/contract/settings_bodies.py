"""The request fields of the operations on settings."""

from tests.contract.body_fields import (
    ARRAY,
    BOOLEAN,
    DATE,
    INTEGER,
    MONEY,
    OBJECT,
    REFERENCE,
    STRING,
    BodyField,
    may,
    must,
)

Bodies = dict[str, BodyField]

_HOURS = may(*INTEGER, -1, 8761)

_CASHIER: Bodies = {
    "name": must(*STRING, "", " "),
    "code": must(*STRING, "", " ", "x" * 21),
    "branch_id": must(*REFERENCE),
}

SETTINGS_BODIES: dict[str, Bodies] = {
    "PATCH /settings": {
        "name": may(*STRING, "", " ", "x" * 201),
        "names": may(*OBJECT),
        "slug": may(*STRING, "", "-", "a b"),
        "country": may(*STRING, "S", "SAU", "ZZ"),
        "timezone": may(*STRING, "Mars/Olympus"),
        "currency": may(*STRING, "SA", "XTS"),
        "languages": may(*ARRAY, [], ["en", "en"], ["English"]),
        "prices_include_tax": may(*BOOLEAN),
        "charges_no_tax": may(*BOOLEAN),
        "tax_registration_number": may(*STRING, "12", "x" * 15),
        "invoice_note": may(*OBJECT),
        "invoice_note.en": may(7, True, "x" * 501),
        "accent": may(*STRING, "red", "#12345"),
        "cancel_reasons": may(*ARRAY, []),
        "cancel_reasons.0.en": may(7, True, "", "x" * 61),
        "commission_basis": may(*STRING, "paid"),
        "grid_minutes": may(*INTEGER, 0, 1441),
        "notice_hours": _HOURS,
        "horizon_days": may(*INTEGER, 0, 731),
        "cancellation_hours": _HOURS,
        "deposit_percent": may(*INTEGER, -1, 101),
        "move_times": may(*BOOLEAN),
        "version": may("1", 1.5, True, 0),
    },
    "PATCH /settings/booking-page": {
        "shown": may(*BOOLEAN),
        "about": may(*OBJECT),
        "about.en": may(7, True, "x" * 501),
        "asks_for_code": may(*BOOLEAN),
        "customers_move": may(*BOOLEAN),
        "customers_cancel": may(*BOOLEAN),
        "payment_instructions": may(*OBJECT),
        "embedding_origins": may(*ARRAY, ["ftp://layan.example"], ["a b"]),
        "version": may("1", 1.5, True, -1),
    },
    "PATCH /settings/drawers": {
        "own_shifts": may(*BOOLEAN),
        "blind_count": may(*BOOLEAN),
        "branches": may(*ARRAY),
        "branches.0.branch_id": must(*REFERENCE),
        "branches.0.drawers": must(*INTEGER, 0, 21),
    },
    "PATCH /settings/messages": {
        "reminder_hours": may(*INTEGER, 0, 169),
        "quiet_from": may(*STRING, "9:00"),
        "quiet_until": may(*STRING, "24:00"),
        "for_applications": may(*BOOLEAN),
        "messages": may(*OBJECT),
        "messages.reminder": may(*OBJECT),
        "messages.reminder.on": may(*BOOLEAN),
        "messages.reminder.texts": may(*OBJECT),
        "messages.reminder.texts.en": may(*OBJECT),
        "messages.reminder.texts.en.subject": may(*STRING, "x" * 201, "{nobody}"),
        "messages.reminder.texts.en.opening": may(*STRING, "x" * 1001),
        "messages.receipt.texts.ar.words": may(*STRING, "x" * 1001),
        "version": may("1", 1.5, True, -1),
    },
    "POST /commission-rates": {
        "percent": must(*MONEY, -1, 101),
        "starts_on": must(*DATE),
        "staff_id": may(*REFERENCE),
        "item_id": may(*REFERENCE),
    },
    "PATCH /commission-rates/{uuid}": {
        "percent": may(*MONEY, -1, 101),
        "starts_on": may(*DATE),
        "version": may("1", 1.5, True, 0),
    },
    "POST /cashiers": _CASHIER,
    "PATCH /cashiers/{uuid}": {
        **{name: field._replace(required=False) for name, field in _CASHIER.items()},
        "status": may(*BOOLEAN),
        "version": may("1", 1.5, True, 0),
    },
}
