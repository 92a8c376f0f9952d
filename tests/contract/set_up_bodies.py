"""The request fields of the operations that set up a business."""

from tests.contract.body_fields import (
    ARRAY,
    BOOLEAN,
    DATE,
    INTEGER,
    MOMENT,
    MONEY,
    NUMBER,
    OBJECT,
    OWN_FIELDS,
    REFERENCE,
    STRING,
    BodyField,
    may,
    must,
)

Bodies = dict[str, BodyField]


def _texts(field: str, *, required: bool) -> Bodies:
    whole = must(*OBJECT) if required else may(*OBJECT)
    return {field: whole, f"{field}.ar": may(7, True, "x" * 6000)}


_CODE = may(*STRING, "x" * 65)
_AMOUNT = (*MONEY, -1)
_COUNT = (*INTEGER, -1, 1_000_001)
_VERSION: Bodies = {"version": may("1", 1.5, True, 0)}
_OFFER: Bodies = {
    "offer_price": may(*_AMOUNT, 5000),
    "offer_from": may(*DATE),
    "offer_until": may(*DATE, "2026-01-01"),
}
_SOLD: Bodies = {
    **_texts("name", required=True),
    "price": must(*_AMOUNT),
    "branch_id": must(*REFERENCE),
    "category_id": may(*REFERENCE),
    "tax_class_id": may(*REFERENCE),
    **_texts("description", required=False),
    "sku": _CODE,
    "barcode": _CODE,
    "status": may(*BOOLEAN),
    **_OFFER,
}
_PERFORMED: Bodies = {
    "duration": must(*INTEGER, 0, 1441),  # because it is a service
    "buffer_before": may(*INTEGER, -1, 241),
    "buffer_after": may(*INTEGER, -1, 241),
    "staff_ids": may(*ARRAY, ["7"], [7]),
    "base_sellable": may(*BOOLEAN),
}
_OPTION: Bodies = {
    **_texts("name", required=True),
    "price": must(*_AMOUNT),
    "offer_price": may(*_AMOUNT, 5000),
    "duration": may(*INTEGER, 0, 1441),
    "sku": _CODE,
    "barcode": _CODE,
    "is_active": may(*BOOLEAN),
}
_PACKAGE: Bodies = {
    **_texts("name", required=True),
    "branch_id": must(*REFERENCE),
    "items": must(*ARRAY, []),
    "items.0.item_id": must(*REFERENCE),
    "items.0.quantity": may(*INTEGER, 0, 1001),
    "price": must(*_AMOUNT),
    **_OFFER,
    "tax_class_id": may(*REFERENCE),
    **_texts("description", required=False),
    "sku": _CODE,
    "status": may(*BOOLEAN),
}
_CATEGORY: Bodies = {
    **_texts("name", required=True),
    "branch_id": must(*REFERENCE),
    **_texts("description", required=False),
    "status": may(*BOOLEAN),
}


def _update(fields: Bodies, *fixed: str) -> Bodies:
    kept = {name: field for name, field in fields.items() if name.split(".")[0] not in fixed}
    return {name: field._replace(required=False) for name, field in kept.items()} | _VERSION


_CONTACT: Bodies = {
    "phone": may(*STRING, "call me", "12"),
    "phone_country": must(*STRING, "S", "SAU", "ZZ"),  # because a phone is given
}
_BRANCH: Bodies = {
    "name": must(*STRING, ""),
    "names": may(*OBJECT),
    "slug": may(*STRING, ""),
    **_CONTACT,
    "address": may(*STRING, ""),
    "location": may(*STRING, ""),
}
_HOURS: Bodies = {
    "all_time": may(*BOOLEAN),
    "intervals": may(*ARRAY),
    "intervals.0.day": must(*STRING, "Monday"),
    "intervals.0.from": must(*STRING, "9:00", "24:00"),
    "intervals.0.to": must(*STRING, "9:00", "24:00"),
}

_HOURS_OF_DAY: Bodies = {
    "day": must(*DATE),
    "intervals": must(*ARRAY),
    "intervals.0.from": must(*STRING, "9:00", "24:00"),
    "intervals.0.to": must(*STRING, "9:00", "24:00"),
    "note": may(*STRING),
    **_VERSION,
}

_STAFF: Bodies = {
    "name": must(*STRING, ""),
    "branch_id": must(*REFERENCE),
    "names": may(*OBJECT),
    "title": may(*OBJECT),
    **_CONTACT,
    "email": may(*STRING, "noura", "noura@"),
    **OWN_FIELDS,
}

_TAX_CLASS: Bodies = {
    **_texts("name", required=True),
    "rates": must(*ARRAY, []),
    "rates.0.starts_on": must(*DATE),
    "rates.0.rate": must(*MONEY, -1, 101),
    "is_default": may(*BOOLEAN),
}

_MOVE: Bodies = {"before": may(*REFERENCE)}
_WAITING: Bodies = {
    "service_ids": must(*ARRAY, []),
    "staff_id": may(*REFERENCE),
    "first_day": must(*DATE, "2098-01-02"),
    "last_day": may(*DATE, "2026-01-02", "2098-01-02"),
    "part_of_day": may(*STRING, "night"),
    "note": may(*STRING),
}

SET_UP_BODIES: dict[str, Bodies] = {
    "POST /staff": {**_STAFF, "service_ids": may(*ARRAY)},
    "PATCH /staff/{uuid}": {
        **_update(_STAFF),
        "services": may(*ARRAY),
        "services.0.service_id": must(*REFERENCE),
        "services.0.price": may(*_AMOUNT),
        "services.0.duration": may(*INTEGER, 0, 1441),
        "status": may(*BOOLEAN),
    },
    "PUT /staff/{uuid}/working-hours": {"source": may(*STRING, "shop"), **_HOURS},
    "POST /branches": _BRANCH,
    "PATCH /branches/{uuid}": {
        **{name: field._replace(required=False) for name, field in _BRANCH.items()},
        "status": may(*BOOLEAN),
    },
    "PUT /branches/{uuid}/hour-exceptions": _HOURS_OF_DAY,
    "PUT /staff/{uuid}/hour-exceptions": _HOURS_OF_DAY,
    "POST /branches/{uuid}/closed-days": {"from": must(*DATE), "to": may(*DATE), "note": may(*STRING)},
    "POST /staff/{uuid}/time-off": {
        "start": must(*MOMENT),
        "end": must(*MOMENT, "2098-03-04T10:00:00"),
        "note": may(*STRING),
        "status": may(*STRING, "declined"),
    },
    "POST /time-off/{uuid}/approve": _VERSION,
    "POST /time-off/{uuid}/decline": _VERSION,
    "PATCH /payment-methods/{id}": {**_texts("name", required=False), "status": may(*BOOLEAN), **_VERSION},
    "POST /tax-classes": _TAX_CLASS,
    "PATCH /tax-classes/{uuid}": {
        **_update(_TAX_CLASS),
        "rates.0.starts_on": must(*DATE),
        "rates.0.rate": must(*MONEY, -1, 101),
    },
    "PUT /branches/{uuid}/working-hours": _HOURS,
    "POST /items": {
        "type": must(*STRING, "package"),
        **_SOLD,
        **_PERFORMED,
        **OWN_FIELDS,
        "options": may(*ARRAY),
        **{f"options.0.{name}": field for name, field in _OPTION.items()},
    },
    "PATCH /items/{uuid}": _update({**_SOLD, **_PERFORMED, **OWN_FIELDS}),
    "POST /items/{uuid}/options": _OPTION,
    "PATCH /item-options/{uuid}": _update(_OPTION),
    "POST /items/{uuid}/stock-movements": {
        "reason": must(*STRING, "theft"),
        "quantity": must(*_COUNT)._replace(bad=(*_COUNT, 0)),
        "note": may(*STRING),
    },
    "POST /customers/{uuid}/notes": {"text": must(*STRING, "", "x" * 1001), "is_warning": may(*BOOLEAN)},
    "PATCH /customer-notes/{uuid}": {"is_warning": must(*BOOLEAN), **_VERSION},
    "POST /waiting-list": {**_WAITING, "customer_id": must(*REFERENCE)},
    "PUT /waiting-list/{uuid}": {**_WAITING, **_VERSION},
    "POST /waiting-list/{uuid}/offer": {
        "staff_id": must(*REFERENCE),
        "start": must(*MOMENT, "2026-01-02T10:00:00", "2098-01-02T10:00:00"),
    },
    "POST /customers/{uuid}/distinct": {"customer_id": must(*REFERENCE)},
    "PUT /orders/{uuid}/items": {
        "items": must(*ARRAY, []),
        "items.0.id": must("7", 7, "0" * 36),
        "items.0.type": must(*STRING, "robot"),
        "items.0.quantity": must(*INTEGER, 0, -1),
        "items.0.line_id": may(*REFERENCE),
        "items.0.unit_amount": may(*MONEY, -1),
        "items.0.discount_amount": may(*MONEY, -1, 1_000_000),
        "discount": may(*OBJECT),
        "discount.amount": must(*NUMBER, -1, 101),
        "discount.type": must(*STRING, "percent"),
        "discount.apply_all": may(*BOOLEAN),
        "start": may(*MOMENT),
        "note": may(*STRING),
        "updated_at": may(*MOMENT),
    },
    "POST /orders/{uuid}/arrived": {"arrived": must(*BOOLEAN)},
    "POST /order-series": {
        "team_id": must(*REFERENCE),
        "customer_id": must(*REFERENCE),
        "items": must(*ARRAY, []),
        "items.0.id": must(*REFERENCE),
        "items.0.type": must(*STRING, "robot"),
        "items.0.quantity": must(*INTEGER, 0, -1),
        "items.0.staff_id": may(*REFERENCE),
        "start": must(*MOMENT),
        "every_weeks": must(*INTEGER, 0, 13),
        "times": must(*INTEGER, 1, 53),  # because no `until` is sent
        "note": may(*STRING),
    },
    "POST /orders/{uuid}/series/cancel": {
        "following": may(*BOOLEAN),
        "reason": may(*STRING, "", "Bored"),
        "note_for_status": may(*STRING),
        "notify": may(*BOOLEAN),
    },
    "POST /packages": _PACKAGE,
    "PATCH /packages/{uuid}": _update(_PACKAGE, "branch_id"),
    "POST /categories": _CATEGORY,
    "POST /categories/{uuid}/move": _MOVE,
    "POST /items/{uuid}/move": _MOVE,
    "POST /staff/{uuid}/move": _MOVE,
    "POST /payment-methods/{id}/move": _MOVE,
    "PATCH /categories/{uuid}": _update(_CATEGORY, "branch_id"),
}
