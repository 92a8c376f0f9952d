"""The field tables of what the front desk does for customers."""

from tests.contract.fields import ORDER_STATUS
from tests.contract.kinds import (
    BOOLEAN,
    DATE,
    INTEGER,
    MOMENT,
    NAME,
    NUMERAL,
    STRING,
    TIMESTAMP,
    URL,
    UUID_,
    Array,
    Fields,
    Nullable,
    Record,
    one_of,
)

CUSTOMER_NOTE: Fields = {
    "id": UUID_,
    "version": INTEGER,
    "customer_id": UUID_,
    "text": STRING,
    "is_warning": BOOLEAN,
    "author": Nullable(NAME),
    "created_at": TIMESTAMP,
}

CUSTOMER_LINK: Fields = {"order_id": UUID_, "url": URL}

ORDER_SERIES: Fields = {
    "id": UUID_,
    "every_weeks": INTEGER,
    "orders": Array(Record({"id": UUID_, "order_number": NUMERAL, "status": ORDER_STATUS, "start": MOMENT})),
    "created_at": TIMESTAMP,
}

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
