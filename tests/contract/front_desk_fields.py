"""The field tables of what the front desk does for customers."""

from tests.contract.kinds import (
    DATE,
    INTEGER,
    STRING,
    TIMESTAMP,
    UUID_,
    Array,
    Fields,
    Nullable,
    one_of,
)

WAITING_LIST_ENTRY: Fields = {
    "id": UUID_,
    "version": INTEGER,
    "customer_id": UUID_,
    "service_ids": Array(UUID_),
    "staff_id": Nullable(UUID_),
    "first_day": DATE,
    "last_day": DATE,
    "part_of_day": one_of("any", "morning", "afternoon", "evening"),
    "note": Nullable(STRING),
    "created_at": TIMESTAMP,
    "updated_at": TIMESTAMP,
}
