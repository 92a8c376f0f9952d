"""The trace of an order."""

from tests.contract.fields import LOCALIZED_REFERENCE, REFERENCE
from tests.contract.kinds import (
    BOOLEAN,
    CURRENCY,
    INTEGER,
    MOMENT,
    MONEY,
    NAME,
    NUMBER,
    NUMERAL,
    STRING,
    TIMESTAMP,
    UUID_,
    Array,
    Fields,
    Nullable,
    Record,
    one_of,
)

_WHO = Record({"type": one_of("app", "user", "system"), "id": Nullable(UUID_)})
_CHANGED = Nullable(Record({"changed_by": _WHO, "at": TIMESTAMP}))
_KINDS = ("catalog", "offer", "option", "option_offer", "provider", "tax_on_top", "given", "not_recorded", "quantity")
_STEP = Record(
    {"kind": one_of(*_KINDS, "line_discount", "discount_share"), "amount": MONEY, "running": MONEY},
)
_PRICES = Record(
    {
        "catalog": MONEY,
        "offer": Nullable(MONEY),
        "option": Nullable(MONEY),
        "option_offer": Nullable(MONEY),
        "provider": Nullable(MONEY),
    }
)
_PROVIDER = Record(
    {
        "staff_id": UUID_,
        "rule": Nullable(one_of("requested", "only", "least_booked", "cheapest", "on_purpose")),
        "booked_minutes": Nullable(INTEGER),
        "free_count": Nullable(INTEGER),
        "others": Array(Record({"staff_id": UUID_, "booked_minutes": INTEGER, "price": Nullable(MONEY)})),
        "changed": _CHANGED,
    }
)
_LINE = Record(
    {
        "line_id": UUID_,
        "refunded_line_id": Nullable(UUID_),
        "item_id": UUID_,
        "name": NAME,
        "type": one_of("service", "product", "package"),
        "quantity": INTEGER,
        "option": Nullable(REFERENCE),
        "prices": Nullable(_PRICES),
        "steps": Array(_STEP),
        "priced": _CHANGED,
        "discounted": _CHANGED,
        "total": MONEY,
        "tax": Record({"class_id": Nullable(UUID_), "rate": NUMBER, "amount": MONEY, "on_top": Nullable(BOOLEAN)}),
        "provider": Nullable(_PROVIDER),
        "package": Array(Record({"item_id": UUID_, "quantity": INTEGER, "price": MONEY, "share": MONEY})),
    }
)
_DISCOUNT = Record(
    {
        "kind": one_of("percentage", "fixed"),
        "value": NUMBER,
        "apply_all": BOOLEAN,
        "base": MONEY,
        "amount": MONEY,
        "changed": _CHANGED,
    }
)
_PAYMENT = Record(
    {
        "id": UUID_,
        "transaction_no": INTEGER,
        "amount": MONEY,
        "date": MOMENT,
        "is_deposit": BOOLEAN,
        "payment_method": LOCALIZED_REFERENCE,
        "returned_order_id": Nullable(UUID_),
        "settles": Array(Record({"line_id": UUID_, "amount": MONEY})),
    }
)
_REFUND = Record(
    {
        "order_id": UUID_,
        "order_number": NUMERAL,
        "amount": MONEY,
        "reason": Nullable(STRING),
        "created_at": TIMESTAMP,
        "lines": Array(Record({"line_id": UUID_, "quantity": INTEGER, "amount": MONEY, "tax_amount": MONEY})),
    }
)
ORDER_TRACE: Fields = {
    "order_id": UUID_,
    "order_number": NUMERAL,
    "parent_id": Nullable(UUID_),
    "source": one_of("api", "pos", "dashboard", "online"),
    "created_by": _WHO,
    "created_at": TIMESTAMP,
    "currency": CURRENCY,
    "lines": Array(_LINE),
    "discount": Nullable(_DISCOUNT),
    "sub_total": MONEY,
    "discount_amount": MONEY,
    "total": MONEY,
    "tax_amount": MONEY,
    "computed_total": MONEY,
    "agrees": BOOLEAN,
    "payments": Nullable(Array(_PAYMENT)),
    "tips": Nullable(Array(Record({"amount": MONEY, "staff_id": Nullable(UUID_)}))),
    "refunds": Array(_REFUND),
}
