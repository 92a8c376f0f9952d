"""The field tables of every resource: name and type, row for row. Absent texts are null, absent lists empty."""

from tests.contract.kinds import (
    BOOLEAN,
    CLOCK,
    COUNTRY,
    CURRENCY,
    DATE,
    DECIMAL,
    EMAIL,
    INSTANT,
    INTEGER,
    LOCALIZED,
    MOMENT,
    MONEY,
    NAME,
    NUMBER,
    NUMERAL,
    PHONE,
    STRING,
    TAX_NUMBER,
    TIMESTAMP,
    URL,
    UUID_,
    Array,
    Fields,
    Keyed,
    Nullable,
    Record,
    one_of,
)

STAMPS: Fields = {"created_at": TIMESTAMP, "updated_at": TIMESTAMP}
REFERENCE = Record({"id": UUID_, "name": NAME})
TAX = Record({"rate": NUMBER, "included": BOOLEAN})
LOCALIZED_REFERENCE = Record({"id": UUID_, "name": LOCALIZED, "slug": NAME})

BRANCH: Fields = {
    "id": UUID_,
    "name": NAME,
    "names": LOCALIZED._replace(may_be_empty=True),
    "slug": NAME,
    "phone": Nullable(PHONE),
    "phone_country": Nullable(COUNTRY),
    "address": Nullable(STRING),
    "latitude": Nullable(NUMBER),
    "longitude": Nullable(NUMBER),
    "location": Nullable(STRING),
    "status": BOOLEAN,
    **STAMPS,
}

CATEGORY: Fields = {
    "id": UUID_,
    "version": INTEGER,
    "name": LOCALIZED,
    "slug": NAME,
    "description": Nullable(LOCALIZED),
    "status": BOOLEAN,
    "sort_order": INTEGER,
    "branch": REFERENCE,
    **STAMPS,
}

CUSTOMER_IN_LIST: Fields = {
    "id": UUID_,
    "first_name": NAME,
    "last_name": Nullable(STRING),
    "email": Nullable(EMAIL),
    "phone": Nullable(PHONE),
    "type": one_of("individual", "company"),
    "city": Nullable(STRING),
    **STAMPS,
}

CUSTOMER: Fields = {
    **CUSTOMER_IN_LIST,
    "address": Nullable(STRING),
    "note": Nullable(STRING),
    "blocked": BOOLEAN,
    "tax_registration_number": Nullable(TAX_NUMBER),
    "tags": Array(REFERENCE),
}

# A price as it was entered, beside what is charged.
ENTERED: Fields = {"entered_price": MONEY, "entered_offer_price": Nullable(MONEY)}
SOLD: Fields = {
    **ENTERED,
    "version": INTEGER,
    "offer_from": Nullable(DATE),
    "offer_until": Nullable(DATE),
    "tax_class_id": Nullable(UUID_),
}

OPTION: Fields = {
    **ENTERED,
    "id": UUID_,
    "name": NAME,
    "names": LOCALIZED,
    "sku": Nullable(STRING),
    "barcode": Nullable(STRING),
    "price": MONEY,
    "offer_price": Nullable(MONEY),
    "is_active": BOOLEAN,
    "values": Array(Record({"option_value_id": UUID_, "option_name": NAME, "value": NAME})),
}

ITEM: Fields = {
    **SOLD,
    "id": UUID_,
    "barcode": Nullable(STRING),
    "sku": Nullable(STRING),
    "name": LOCALIZED,
    "slug": NAME,
    "description": Nullable(LOCALIZED),
    "html_description": Nullable(LOCALIZED),
    "status": BOOLEAN,
    "price": MONEY,
    "offer_price": Nullable(MONEY),
    "tax": TAX,
    "base_sellable": BOOLEAN,
    "currency": CURRENCY,
    "category": Nullable(Record({"id": UUID_, "name": LOCALIZED, "status": BOOLEAN})),
    "branch": REFERENCE,
    **STAMPS,
}

SERVICE: Fields = {
    **ITEM,
    "type": one_of("service"),
    "options": Array(Record({**OPTION, "duration": INTEGER})),
    "duration": INTEGER,
    "buffer_before": INTEGER,
    "buffer_after": INTEGER,
}

SERVICE_DETAIL: Fields = {
    **SERVICE,
    "staff": Array(Record({"id": UUID_, "name": NAME, "price": MONEY, "duration": INTEGER})),
}

PRODUCT: Fields = {
    **ITEM,
    "type": one_of("product"),
    "options": Array(
        Record({**OPTION, "quantity": INTEGER, "quantity_counted": BOOLEAN, "low_stock": Nullable(INTEGER)})
    ),
    "cost": Nullable(MONEY),
    "supplier": Nullable(STRING),
    "low_stock": Nullable(INTEGER),
    "stock": INTEGER,
    "stock_counted": BOOLEAN,
}

PACKAGE: Fields = {
    **SOLD,
    "id": UUID_,
    "sku": Nullable(STRING),
    "name": LOCALIZED,
    "description": Nullable(LOCALIZED),
    "branch": REFERENCE,
    "price": MONEY,
    "offer_price": Nullable(MONEY),
    "tax": TAX,
    "status": BOOLEAN,
    "items": Array(Record({"id": UUID_, "name": LOCALIZED, "type": one_of("service", "product"), "quantity": INTEGER})),
    **STAMPS,
}

TAX_CLASS: Fields = {
    "id": UUID_,
    "version": INTEGER,
    "name": LOCALIZED,
    "is_default": BOOLEAN,
    "rates": Array(Record({"starts_on": DATE, "rate": NUMBER})),
    **STAMPS,
}

STAFF_MEMBER: Fields = {
    "id": UUID_,
    "version": INTEGER,
    "names": LOCALIZED._replace(may_be_empty=True),
    "title": LOCALIZED._replace(may_be_empty=True),
    "name": NAME,
    "phone": Nullable(PHONE),
    "phone_country": Nullable(COUNTRY),
    "email": Nullable(EMAIL),
    "image": Nullable(URL),
    "branch": REFERENCE,
    "services": Array(
        Record(
            {
                "id": UUID_,
                "name": LOCALIZED,
                "price": MONEY,
                "tax": TAX,
                "duration": INTEGER,
                "own_price": Nullable(MONEY),
                "own_duration": Nullable(INTEGER),
            }
        )
    ),
    "status": BOOLEAN,
    "sort_order": INTEGER,
    **STAMPS,
}

DAY = one_of("sun", "mon", "tue", "wed", "thu", "fri", "sat")
WORKING_HOUR: Fields = {
    "id": UUID_,
    "version": INTEGER,
    "source": one_of("staff", "branch"),
    "all_time": BOOLEAN,
    "active": BOOLEAN,
    "intervals": Array(Record({"id": UUID_, "day": DAY, "from": CLOCK, "to": CLOCK, "active": BOOLEAN})),
}

PAYMENT_METHOD: Fields = {
    "id": UUID_,
    "version": INTEGER,
    "name": LOCALIZED,
    "slug": NAME,
    "type": Record(
        {"id": UUID_, "name": NAME, "slug": one_of("cash", "card", "bank_transfer", "other", "third-party", "voucher")}
    ),
    "status": BOOLEAN,
    "sort_order": INTEGER,
    **STAMPS,
}

TRANSACTION_STATUS = one_of("pending", "confirmed", "refused", "canceled", "refunded")
BOOKING = Record(
    {
        "id": UUID_,
        "reference": NAME,
        "start": INSTANT,
        "end": INSTANT,
        "status": STRING,
        "service_id": UUID_,
        "staff_id": UUID_,
    }
)
TRANSACTION: Fields = {
    "id": UUID_,
    "transaction_no": INTEGER,
    "amount": DECIMAL,
    "currency": CURRENCY,
    "status": TRANSACTION_STATUS,
    "is_deposit": BOOLEAN,
    "note": Nullable(STRING),
    "date": MOMENT,
    "payment_method": LOCALIZED_REFERENCE,
    "order": Record({"id": UUID_, "order_number": INTEGER}),
    "booking": Nullable(BOOKING),
    # What the specification does not name.
    "reference_number": Nullable(STRING),
    **STAMPS,
}

EXPORT: Fields = {
    "id": UUID_,
    "status": one_of("queued", "running", "done", "failed"),
    "resources": Array(STRING),
    "sequence": INTEGER,
    "records": INTEGER,
    "url": URL,
    "created_at": TIMESTAMP,
    "finished_at": Nullable(TIMESTAMP),
    "expires_at": TIMESTAMP,
}

HOLD: Fields = {
    "id": UUID_,
    "service_id": UUID_,
    "staff_id": UUID_,
    "start": MOMENT,
    "end": MOMENT,
    "expires_at": TIMESTAMP,
}

ORDER_STATUS = one_of("draft", "confirmed", "in-progress", "completed", "canceled")
PAYMENT_STATUS = one_of("unpaid", "partially_paid", "paid", "partially_refunded", "refunded")
ORDER_ITEM: Fields = {
    "id": UUID_,
    "name": NAME,
    "type": one_of("service", "product", "package"),
    "price": MONEY,
    "quantity": INTEGER,
    "discount_amount": MONEY,
    "total": MONEY,
    # What the specification does not name.
    "option": Nullable(REFERENCE),
}
_ORDER: Fields = {
    "id": UUID_,
    "order_number": NUMERAL,
    "parent_id": Nullable(UUID_),
    "status": ORDER_STATUS,
    "source": one_of("api", "pos", "dashboard", "online"),
    "currency": CURRENCY,
    "total": MONEY,
    "discount_amount": MONEY,
    **STAMPS,
}
_BUYER = Record({"id": UUID_, "first_name": NAME, "last_name": Nullable(STRING), "phone": Nullable(PHONE)})
ORDER_IN_LIST: Fields = {
    **_ORDER,
    "customer": Nullable(_BUYER),
    "branch": REFERENCE,
    "items": Array(Record(ORDER_ITEM)),
    "payment_status": PAYMENT_STATUS,
}

TRANSACTION_IN_ORDER: Fields = {
    "id": UUID_,
    "amount": DECIMAL,
    "currency": CURRENCY,
    "status": TRANSACTION_STATUS,
    "date": MOMENT,
}
STATUS_CHANGE = Record(
    {
        "from": Nullable(ORDER_STATUS),
        "to": ORDER_STATUS,
        "note": Nullable(STRING),
        "previous_start": Nullable(MOMENT),
        "new_start": Nullable(MOMENT),
        "changed_by": Record({"type": one_of("app", "key", "user", "system"), "id": Nullable(UUID_)}),
        "created_at": TIMESTAMP,
    }
)
ORDER: Fields = {
    **_ORDER,
    "customer": Nullable(Record(CUSTOMER)),
    "branch": Record(BRANCH),
    "items": Array(Record({**ORDER_ITEM, "staff_id": Nullable(UUID_), "line_id": UUID_})),
    "transactions": Array(Record(TRANSACTION)),
    # What the specification does not name: its additions are registered here, so that no other slips in.
    "payment_status": PAYMENT_STATUS,
    "tax_amount": MONEY,
    "paid_amount": MONEY,
    "refunded_amount": MONEY,
    "remaining_amount": MONEY,
    "refund_ids": Array(UUID_),
    "start": Nullable(MOMENT),
    "note": Nullable(STRING),
    "bookings": Array(BOOKING),
    "status_history": Array(STATUS_CHANGE),
}

ORDER_CREATED: Fields = {
    "id": UUID_,
    "order_number": NUMERAL,
    "status": ORDER_STATUS,
    "payment_status": PAYMENT_STATUS,
    "currency": CURRENCY,
    "total": MONEY,
    "created_at": TIMESTAMP,
    "transaction": Nullable(Record({**TRANSACTION_IN_ORDER, "reference_number": Nullable(STRING)})),
}

FOUND_ITEM: Fields = {
    "id": UUID_,
    "type": one_of("service", "product", "package"),
    "name": LOCALIZED,
    "sku": Nullable(STRING),
    "branch": REFERENCE,
    "status": BOOLEAN,
}
SEARCH_RESULTS: Fields = {
    "customers": Nullable(Array(Record(CUSTOMER_IN_LIST))),
    "orders": Nullable(Array(Record(ORDER_IN_LIST))),
    "items": Nullable(Array(Record(FOUND_ITEM))),
    "staff": Nullable(Array(Record({"id": UUID_, "name": NAME, "branch": REFERENCE, "status": BOOLEAN}))),
}

LIMITS: Fields = {
    "rate": Record(dict.fromkeys(("limit", "remaining", "reset", "window"), INTEGER)),
    "quotas": Array(Record({"quota": NAME, "used": INTEGER, "limit": INTEGER})),
    "budgets": Array(
        Record(
            {
                "scope": NAME,
                "per_day": INTEGER,
                "extra": INTEGER,
                "used": INTEGER,
                "stopped_at": Nullable(TIMESTAMP),
            }
        )
    ),
    "fixed": Record(
        {
            **dict.fromkeys(("per_page", "body_bytes", "order_items", "idempotency_hours", "webhooks"), INTEGER),
            "holds": Record(dict.fromkeys(("minutes", "at_once", "minutes_in_an_hour", "longest_minutes"), INTEGER)),
            "exports": Record(dict.fromkeys(("open", "stored", "hours"), INTEGER)),
        }
    ),
}

AVAILABILITY: Fields = {"slots": Keyed(DATE, Array(CLOCK))}
