"""The field tables of what the dashboard sets up beside the catalog."""

from tests.contract.fields import STAMPS
from tests.contract.kinds import (
    BOOLEAN,
    CLOCK,
    DATE,
    INTEGER,
    LANGUAGE,
    LOCALIZED,
    MOMENT,
    NAME,
    NUMBER,
    STRING,
    TIMESTAMP,
    UUID_,
    Array,
    Fields,
    Keyed,
    Nullable,
    Record,
    one_of,
)

HOUR_EXCEPTION: Fields = {
    "id": UUID_,
    "version": INTEGER,
    "branch_id": UUID_,
    "staff_id": Nullable(UUID_),
    "day": DATE,
    "intervals": Array(Record({"from": CLOCK, "to": CLOCK})),
    "note": Nullable(STRING),
    **STAMPS,
}

CLOSED_DAYS: Fields = {"branch_id": UUID_, "days": Array(Record({"day": DATE, "note": Nullable(STRING)}))}

TIME_OFF: Fields = {
    "id": UUID_,
    "version": INTEGER,
    "branch_id": UUID_,
    "staff_id": UUID_,
    "start": MOMENT,
    "end": MOMENT,
    "status": one_of("requested", "approved", "declined"),
    **STAMPS,
}

PINNED_ITEM: Fields = {
    "id": UUID_,
    "type": one_of("service", "product", "package"),
    "name": LOCALIZED,
    "branch_id": UUID_,
    "pinned_at": TIMESTAMP,
}

SETTINGS: Fields = {
    "tenant_id": UUID_,
    "version": INTEGER,
    "name": NAME,
    "names": LOCALIZED._replace(may_be_empty=True),
    "slug": NAME,
    "country": Nullable(STRING),
    "timezone": NAME,
    "currency": NAME,
    "languages": Array(STRING),
    "prices_include_tax": BOOLEAN,
    "charges_no_tax": BOOLEAN,
    "tax_registration_number": Nullable(STRING),
    "invoice_note": LOCALIZED._replace(may_be_empty=True),
    "accent": Nullable(STRING),
    "cancel_reasons": Nullable(Array(LOCALIZED)),
    "commission_basis": one_of("done", "booked"),
    "grid_minutes": INTEGER,
    "notice_hours": INTEGER,
    "horizon_days": INTEGER,
    "cancellation_hours": INTEGER,
    "deposit_percent": INTEGER,
    "updated_at": TIMESTAMP,
}

BOOKING_PAGE: Fields = {
    "version": INTEGER,
    "shown": BOOLEAN,
    "about": LOCALIZED._replace(may_be_empty=True),
    "asks_for_code": BOOLEAN,
    "customers_move": BOOLEAN,
    "customers_cancel": BOOLEAN,
    "payment_instructions": LOCALIZED._replace(may_be_empty=True),
    "embedding_origins": Array(STRING),
}

DRAWER_SETTINGS: Fields = {
    "own_shifts": BOOLEAN,
    "blind_count": BOOLEAN,
    "branches": Array(Record({"branch_id": UUID_, "drawers": INTEGER})),
}

_TEXTS = Keyed(LANGUAGE, Record({"subject": STRING, "opening": STRING, "words": STRING}), may_be_empty=True)
_SWITCHED = Record({"on": BOOLEAN, "texts": _TEXTS})
_WRITTEN = Record({"texts": _TEXTS})
MESSAGE_SETTINGS: Fields = {
    "version": INTEGER,
    "reminder_hours": INTEGER,
    "quiet_from": Nullable(CLOCK),
    "quiet_until": Nullable(CLOCK),
    "for_applications": BOOLEAN,
    "messages": Record(
        {
            "confirmation": _SWITCHED,
            "reminder": _SWITCHED,
            "change": _SWITCHED,
            "cancellation": _SWITCHED,
            "birthday": _SWITCHED,
            "waiting_list_offer": _WRITTEN,
            "receipt": _WRITTEN,
        }
    ),
}

COMMISSION_RATE: Fields = {
    "id": UUID_,
    "version": INTEGER,
    "staff_id": Nullable(UUID_),
    "item_id": Nullable(UUID_),
    "starts_on": DATE,
    "percent": NUMBER,
    **STAMPS,
}

CASHIER: Fields = {
    "id": UUID_,
    "version": INTEGER,
    "name": NAME,
    "code": NAME,
    "branch_id": UUID_,
    "status": BOOLEAN,
    **STAMPS,
}
