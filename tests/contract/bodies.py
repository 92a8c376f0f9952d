"""The tables of request fields: which are required, and what is refused in each of them."""

import copy
from collections.abc import Iterator
from typing import Any

from tests.contract.api import unknown_id
from tests.contract.body_fields import (
    ANY_UNKNOWN_ID,
    ARRAY as _ARRAY,
    BOOLEAN as _BOOLEAN,
    DATE as _DATE,
    INTEGER as _INTEGER,
    MOMENT as _MOMENT,
    MONEY as _MONEY,
    NUMBER as _NUMBER,
    OBJECT as _OBJECT,
    OWN_FIELDS,
    REFERENCE as _REFERENCE,
    STRING as _STRING,
    UUID as _UUID,
    BodyField,
    may as _may,
    must as _must,
)
from tests.contract.set_up_bodies import SET_UP_BODIES
from tests.contract.settings_bodies import SETTINGS_BODIES

_ORDER: dict[str, BodyField] = {
    "team_id": _must(*_REFERENCE),
    "customer_id": _must(*_REFERENCE),
    "start": _must(*_MOMENT),  # because the first item is a service
    "items": _must(*_ARRAY, []),
    "items.0.id": _must(*_REFERENCE),
    "items.0.type": _must(*_STRING, "robot"),
    "items.0.quantity": _must(*_INTEGER, 0, -1),
    "items.0.staff_id": _may(*_REFERENCE),
    "items.1.id": _must(*_REFERENCE),
    "items.1.type": _must(*_STRING, "Product"),
    "items.1.quantity": _must(*_INTEGER, 0, -1),
    "items.1.unit_amount": _may(*_MONEY, -1),
    "items.1.discount_amount": _may(*_MONEY, -1, 1_000_000),
    "note": _may(*_STRING),
    **OWN_FIELDS,
}

_CUSTOMER: dict[str, BodyField] = {
    "first_name": _must(*_STRING, "R", " R ", ""),
    "last_name": _may(*_STRING, "S"),
    "email": _may(*_STRING, "rana", "rana@", "a b@example.com"),
    "phone": _may(*_STRING, "call me", "12"),
    "phone_country": _must(*_STRING, "S", "SAU", "ZZ"),  # because a phone is given
    "type": _may(*_STRING, "person"),
    "city": _may(*_STRING, "Ab"),
    "address": _may(*_STRING, "Ab"),
    "note": _may(*_STRING),
    "tax_registration_number": _may(*_STRING, "31012239350000", "3101223935000031", "31012239350000x"),
    **OWN_FIELDS,
}

_URL = (*_STRING, "", "hooks.example.com", "ftp://hooks.example.com", "http://127.0.0.1:8080", "https://" + "a" * 3000)
_KINDS = (*_ARRAY, [], ["order.eaten"], [7], ["order.created", None])
_WEBHOOK: dict[str, BodyField] = {
    "branches": _may(*_ARRAY, ["here"], ["0" * 36], [None]),
    "changed_fields": _may(*_ARRAY, [7], ["colour"]),
    "payload": _may(*_STRING, "slim"),
    "active": _may(*_BOOLEAN),
}

BODIES: dict[str, dict[str, BodyField]] = {
    "POST /orders": _ORDER,
    "POST /orders + payment": {
        "payment": _may(*_OBJECT),
        "payment.amount": _must(*_MONEY, 0, -1, 1_000_000),
        "payment.payment_method_id": _may(*_UUID),
        "payment.payment_method_type": _may(*_STRING),
        "payment.reference_number": _may(*_STRING),
        "payment.date": _may(*_MOMENT),
        "payment.note": _may(*_STRING),
    },
    "PATCH /orders/{uuid}": OWN_FIELDS,
    "POST /orders/{uuid}/status": {
        "status": _must(*_STRING, "cancelled", "in_progress", "draft", "done"),
        "note_for_status": _may(*_STRING),
    },
    "POST /orders/{uuid}/cancel": {
        "reason": _may(*_STRING, "", "Bored"),
        "note_for_status": _may(*_STRING),
        "no_show": _may(*_BOOLEAN),
        "notify": _may(*_BOOLEAN),
    },
    "POST /orders/{uuid}/reschedule": {
        "start": _must(*_MOMENT),
        "items": _may(*_ARRAY),
        "items.0.line_id": _must(*_REFERENCE),
        "items.0.staff_id": _must(*_REFERENCE)._replace(bad=_REFERENCE),  # null: anybody
    },
    "POST /orders/{id}/payments": {
        "amount": _must(*_MONEY, 0, -1, 1_000_000),
        "payment_method_id": _must(*_UUID),
        "note": _may(*_STRING),
        "reference_number": _may(*_STRING),
        "date": _may(*_MOMENT),
    },
    "POST /orders/{uuid}/refunds": {
        "lines": _must(*_ARRAY, []),  # because neither an amount nor the whole is asked for
        "lines.0.line_id": _must(*_REFERENCE),
        "lines.0.quantity": _must(*_INTEGER, 0, -1, 1000),
        "payment_method_id": _may(*_UUID),
        "restock": _may(*_BOOLEAN),
        "cancel_order": _may(*_BOOLEAN),
        "reason": _may(*_STRING),
    },
    "POST /availability": {
        "service_id": _must(*_REFERENCE),
        "date": _must(*_DATE),
        "staff_id": _may(*_REFERENCE),
        "quantity": _may(*_INTEGER, 0, -1),
        "visible_days": _may(*_INTEGER, 0, 31),
        "next_availability": _may(*_BOOLEAN),
    },
    "POST /availability/explain": {
        "service_id": _must(*_REFERENCE),
        "start": _must(*_MOMENT),
        "staff_id": _may(*_REFERENCE),
        "quantity": _may(*_INTEGER, 0, -1),
    },
    "POST /holds": {
        "service_id": _must(*_REFERENCE),
        "start": _must(*_MOMENT),
        "staff_id": _may(*_REFERENCE),
        "option_id": _may(*_REFERENCE),
        "quantity": _may(*_INTEGER, 0, -1),
    },
    "POST /exports": {"resources": _must(*_ARRAY, [], ["robots"])},
    "POST /customers": _CUSTOMER,
    "POST /customers/{uuid}/tags": {"name": _must(*_STRING, "", "x" * 51)},
    "POST /customers/{uuid}/block": {"reason": _must(*_STRING, "")},
    "POST /customers/{uuid}/merge": {
        "customer_id": _must(*_REFERENCE),
        "take": _may(*_ARRAY, ["surname"], [7]),
    },
    "PATCH /customers/{uuid}": {name: field._replace(required=False) for name, field in _CUSTOMER.items()},
    "POST /payment-methods": {
        "name": _must(*_STRING, "", " "),
        "type": _must(*_STRING, "card", "bank_transfer", "third-party", "voucher", "Cash"),
        "status": _may(*_BOOLEAN),
    },
    **SET_UP_BODIES,
    **SETTINGS_BODIES,
    "POST /webhooks": {**_WEBHOOK, "url": _must(*_URL), "events": _must(*_KINDS)},
    "PATCH /webhooks/{id}": {**_WEBHOOK, "url": _may(*_URL), "events": _may(*_KINDS)},
    "POST /pos/checkout-calculate": {
        "discount": _may(*_OBJECT),
        "discount.amount": _must(*_NUMBER, -1, 101),
        "discount.type": _must(*_STRING, "percent"),
        "discount.apply_all": _may(*_BOOLEAN),
        "items": _must(*_ARRAY, []),
        "items.0.item_id": _must(*_REFERENCE),
        "items.0.quantity": _must(*_INTEGER, 0, -1),
        "items.0.price": _may(*_MONEY, -1),
        "items.0.applyDiscount": _may(*_BOOLEAN),
        "items.0.staff_id": _may(*_REFERENCE),
        "items.0.option_id": _may(*_ARRAY),
    },
    "POST /pos/orders": {
        "start": _may(*_MOMENT),
        "total": _must(72.9, "much", "NaN", ""),
        "sub_total": _must(81, "much", "NaN", ""),
        "cashier": _may(*_STRING),
        "cashier_code": _may(*_STRING),
        "isDraft": _may(*_BOOLEAN),
        "discount": _may(*_OBJECT),
        "discount.amount": _must(*_NUMBER, -1, 101),
        "discount.type": _must(*_STRING, "percent"),
        "discount.apply_all": _may(*_BOOLEAN),
        "customer_id": _may(*_REFERENCE),
        "services": _must(*_ARRAY, []),
        "services.0.id": _must(*_REFERENCE),
        "services.0.type": _must(*_STRING, "robot"),
        "services.0.price": _may(*_MONEY, -1),
        "services.0.staffId": _may(*_REFERENCE),
        "services.0.quantity": _must(*_INTEGER, 0, -1),
        "services.0.unit_amount": _may(*_MONEY, -1),
        "services.0.total_amount": _may(*_NUMBER),
        "services.0.applyDiscount": _may(*_BOOLEAN),
        "payment_methods": _may(*_ARRAY),
        "payment_methods.0.id": _must(*_UUID),
        "payment_methods.0.amount": _must(*_MONEY, 0, -1),
        "payment_methods.0.total_amount": _may(*_NUMBER, 1),
    },
    "POST /tags": {"name": _must(*_STRING, "", "x" * 51)},
}


def broken(body: Any, place: str, field: BodyField) -> Iterator[tuple[str, Any]]:
    """The body once for everything that is refused at this place, with a word for what was done to it."""
    if field.required:
        yield "left out", without(body, place)
    for value in field.bad:
        sent = unknown_id() if value is ANY_UNKNOWN_ID else value
        yield repr(sent)[:60], _changed(body, place, sent)


def minimal(name: str, body: Any) -> Any:
    for place, field in BODIES[name].items():
        if not field.required:
            body = without(body, place)
    if name == "POST /pos/orders":
        body["total"] = body["sub_total"]  # because the discount is gone
    return body


def without(body: Any, place: str) -> Any:
    """Where the field stood inside one that is gone already, nothing is left to do."""
    changed, holder, last = _reach(body, place)
    if holder is not None:
        del holder[last]
    return changed


def _changed(body: Any, place: str, value: Any) -> Any:
    changed, holder, last = _reach(body, place)
    holder[last] = value
    return changed


def _reach(body: Any, place: str) -> tuple[Any, Any, Any]:
    changed = copy.deepcopy(body)
    *way, last = place.split(".")
    holder = changed
    for step in way:
        if holder is not None:
            holder = holder[int(step)] if isinstance(holder, list) else holder.get(step)
    return changed, holder, last
