"""The field tables of what the key interface answers with; most of them the specification leaves open."""

from tests.contract.fields import (
    ORDER_CREATED,
    ORDER_IN_LIST,
    ORDER_ITEM,
    REFERENCE,
    STAMPS,
    TAX,
    TRANSACTION_IN_ORDER,
    WORKING_HOUR,
)
from tests.contract.kinds import (
    AMOUNT,
    BOOLEAN,
    CURRENCY,
    DECIMAL,
    INTEGER,
    LANGUAGE,
    LOCALIZED,
    MOMENT,
    MONEY,
    NAME,
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

TAG: Fields = {
    "id": UUID_,
    "name": NAME,
    "model": one_of("customers"),
    "customers_count": INTEGER,
    **STAMPS,
}

DISCOUNT = Record({"amount": MONEY, "type": one_of("percentage", "fixed"), "apply_all": BOOLEAN})
CALCULATED_LINE: Fields = {
    "item_id": UUID_,
    "option_id": Array(UUID_),
    "option": Nullable(REFERENCE),
    "staff_id": Nullable(UUID_),
    "quantity": INTEGER,
    "unit_amount": MONEY,
    "total_amount": MONEY,
    "discount_amount": MONEY,
    "net_amount": MONEY,
    "applyDiscount": BOOLEAN,
}
CALCULATION: Fields = {
    "currency": CURRENCY,
    "sub_total": DECIMAL,
    "discount_amount": DECIMAL,
    "total": DECIMAL,
    "discount": Nullable(DISCOUNT),
    "items": Array(Record(CALCULATED_LINE)),
}
POS_ORDER_CREATED: Fields = {
    **ORDER_CREATED,
    "sub_total": AMOUNT,
    "discount_amount": AMOUNT,
    "tax_amount": AMOUNT,
    "paid_amount": AMOUNT,
    "remaining_amount": AMOUNT,
    "change_due": AMOUNT,
    "cashier": Nullable(STRING),
    "items": Array(Record(ORDER_ITEM, complete=False)),
    "transactions": Array(Record(TRANSACTION_IN_ORDER, complete=False)),
}
_TILL = {"cashier": Nullable(STRING), "start": Nullable(MOMENT)}
POS_ORDER_LISTED: Fields = {**ORDER_IN_LIST, **_TILL}
POS_ORDER: Fields = {
    **POS_ORDER_CREATED,
    **_TILL,
    "parent_id": Nullable(UUID_),
    "source": ORDER_IN_LIST["source"],
    "customer": ORDER_IN_LIST["customer"],
    "branch": REFERENCE,
    "note": Nullable(STRING),
    "refund_ids": Array(UUID_),
    "updated_at": TIMESTAMP,
}
PERFORMER: Fields = {
    "id": UUID_,
    "name": NAME,
    "image": Nullable(URL),
    "price": MONEY,
    "tax": TAX,
    "duration": INTEGER,
    "branch": REFERENCE,
}
METADATA: Fields = {
    "branch": Record({"id": UUID_, "name": NAME}, complete=False),
    "timezone": NAME,
    "languages": Array(LANGUAGE),
    "tax": TAX,
    "payment_methods": Array(Record({"id": UUID_, "name": LOCALIZED}, complete=False)),
    "categories": Array(Record({"id": UUID_, "name": LOCALIZED}, complete=False)),
    "tags": Array(Record({"id": UUID_, "name": NAME}, complete=False)),
    "working_hour": Nullable(Record({"intervals": WORKING_HOUR["intervals"]}, complete=False)),
    "cashiers": Array(Record({"name": NAME}, complete=False)),
}
