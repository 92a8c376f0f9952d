"""The field tables of what the dashboard sets up beside the catalog."""

from tests.contract.fields import STAMPS
from tests.contract.kinds import (
    CLOCK,
    DATE,
    INTEGER,
    LOCALIZED,
    MOMENT,
    STRING,
    TIMESTAMP,
    UUID_,
    Array,
    Fields,
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
