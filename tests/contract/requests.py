"""A full, valid request for every row of the endpoint tables."""

from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, NamedTuple
from uuid import uuid4
from zoneinfo import ZoneInfo

import httpx2

from tests.contract import platform_bodies, webhook_requests
from tests.contract.api import Api, unknown_id
from tests.contract.customer_bodies import customer_body
from tests.contract.endpoints import KEY_ENDPOINTS, UNKNOWN, Endpoint
from tests.contract.sent_requests import explaining, sent_id, sent_key
from tests.factories.changes import delete_rows
from tests.support.full_requests.made import MADE_IDS, MAKE, made_request
from tests.support.set_up_requests import own_fields


class Request(NamedTuple):
    path: str
    params: dict[str, str]
    body: Any = None


Builder = Callable[[Api], Awaitable[Request]]

_LISTS = {"/pos": "/orders", "/tags": "tags", "/services": "/items", "/metadata": "/branches"}


async def request_of(api: Api, row: Endpoint) -> Request:
    if row.id in _BUILDERS:
        return await _BUILDERS[row.id](api)
    if row.path == "/requests":
        return Request(row.path, {"idempotency_key": await sent_key(api.shop, is_key=row in KEY_ENDPOINTS)})
    if row.id in MAKE:
        return Request(*await made_request(api.shop, row.id))
    if row.id in webhook_requests.BUILDERS:
        return Request(*await webhook_requests.BUILDERS[row.id](api))
    return Request(row.at(await id_for(api, row)) if row.has_id else row.path, {})


async def id_for(api: Api, row: Endpoint) -> str:
    """An id of this business that the row's path can take."""
    collection = "/" + row.path.split("/")[1]
    if collection == "/webhooks":
        return await webhook_requests.id_for(api, row.path)
    if collection in MADE_IDS:
        return await MADE_IDS[collection](api.shop)
    if collection == "/holds":
        return await _made_hold(api)
    if collection == "/item-options":
        return str(next(entry for entry in await api.list("/items") if entry["options"])["options"][0]["id"])
    if row.path == "/branches/{uuid}/working-hour":
        return str((await api.list("/branches"))[-1]["id"])  # the first one of the business, which has hours
    if collection == "/exports":
        return await platform_bodies.made_export(api)
    if collection == "/requests":
        return await sent_id(api.shop, is_key=row in KEY_ENDPOINTS)
    if collection == "/tags":
        return str((await _tags(api))[0]["id"])
    if collection == "/sandbox":
        return await platform_bodies.made_snapshot(api)
    only = {"type": "service"} if collection == "/services" else {}
    return str((await api.first(_LISTS.get(collection, collection), **only))["id"])


async def send(api: Api, row: Endpoint, request: Request, token: str | None = None) -> httpx2.Response:
    if row in KEY_ENDPOINTS:
        return await api.key_call(row.method, request.path, params=request.params, body=request.body)
    return await api.request(row.method, request.path, token=token, params=request.params, body=request.body)


async def filter_value(api: Api, value: str) -> str:
    match value:
        case "{branch}":
            return await branch(api)
        case "{category}":
            return str((await api.first("/categories"))["id"])
        case "{customer}":
            return str((await api.first("/customers"))["id"])
        case "{staff}":
            return str((await api.first("/staff"))["id"])
        case "{order}":
            return str((await api.first("/orders"))["id"])
        case "{booking}":
            booked = [entry["booking"] for entry in await api.list("/transactions") if entry["booking"]]
            assert booked, "no transaction has a booking"
            return str(booked[0]["id"])
        case _:
            return unknown_id() if value == UNKNOWN else value


async def branch(api: Api) -> str:
    """The one that has the catalog; others are made by these tests."""
    return str((await api.first("/categories"))["branch"]["id"])


async def customer(api: Api) -> str:
    """Made for the purpose, because an older one may be blocked; again, if the sandbox was reset meanwhile."""
    kept = api.kept.get("customer")
    if kept is None or (await api.request("GET", f"/customers/{kept}")).status_code == 404:
        answer = await api.post("/customers", {"first_name": "Contract"})
        assert answer.status_code == 201, answer.text
        api.kept["customer"] = answer.json()["data"]["id"]
    return str(api.kept["customer"])


async def product(api: Api) -> dict[str, Any]:
    """One that will not be sold out by the tests."""
    found = await api.list("/items", type="product")
    return next(entry for entry in found if not entry["options"] and entry["stock"] > 100)


async def service_and_staff(api: Api) -> tuple[dict[str, Any], dict[str, Any]]:
    for entry in await api.list("/items", type="service"):
        detail = await api.record(f"/items/{entry['id']}")
        if detail["staff"] and not detail["options"]:
            return detail, detail["staff"][0]
    raise LookupError("nobody performs any service")


async def method_of(api: Api, slug: str) -> str:
    found = await api.list("/payment-methods")
    return str(next(entry["id"] for entry in found if entry["type"]["slug"] == slug))


def tomorrow(api: Api) -> str:
    return str((datetime.now(ZoneInfo(api.shop.sandbox.timezone)) + timedelta(days=1)).date())


async def availability_body(api: Api) -> dict[str, Any]:
    service, staff = await service_and_staff(api)
    return {
        "service_id": service["id"],
        "date": tomorrow(api),
        "staff_id": staff["id"],
        "quantity": 1,
        "visible_days": 7,
        "next_availability": True,
    }


async def offered_start(api: Api) -> str:
    answer = await api.post("/availability", await availability_body(api))
    assert answer.status_code == 200, f"POST /availability: {answer.status_code} {answer.text}"
    slots = answer.json()["data"]["slots"]
    day = next(day for day in sorted(slots) if slots[day])
    return f"{day}T{slots[day][0]}:00"


async def order_body(api: Api) -> dict[str, Any]:
    """An appointment and something to take home, with every optional field but the payment."""
    (service, staff), goods = await service_and_staff(api), await product(api)
    return {
        "team_id": await branch(api),
        "customer_id": await customer(api),
        "start": await offered_start(api),
        "items": [
            {"id": service["id"], "type": "service", "quantity": 1, "staff_id": staff["id"]},
            {"id": goods["id"], "type": "product", "quantity": 2, "unit_amount": 40.5, "discount_amount": 1.25},
        ],
        "note": "By the window, please",
        **own_fields(),
    }


async def hold_body(api: Api) -> dict[str, Any]:
    """After what was held before is released, because there are limits."""
    await delete_rows(api.shop, "holds")
    service, staff = await service_and_staff(api)
    wanted = {"service_id": service["id"], "staff_id": staff["id"], "option_id": None, "quantity": 1}
    return {**wanted, "start": await offered_start(api)}


async def _made_hold(api: Api) -> str:
    answer = await api.post("/holds", await hold_body(api))
    assert answer.status_code == 201, f"POST /holds: {answer.status_code} {answer.text}"
    return str(answer.json()["data"]["id"])


async def paid_order_body(api: Api) -> dict[str, Any]:
    payment = {
        "amount": 79.75,
        "payment_method_id": await method_of(api, "cash"),
        "payment_method_type": "card",
        "reference_number": "A-1",
        "date": "2026-01-02T10:30:00",
        "note": "Part of it",
    }
    return {**await order_body(api), "payment": payment}


async def sale_body(api: Api, **changes: Any) -> dict[str, Any]:
    """Goods only: 81.00 in all, no appointment."""
    line = {"id": (await product(api))["id"], "type": "product", "quantity": 2, "unit_amount": 40.5}
    return {"team_id": await branch(api), "customer_id": await customer(api), "items": [line], **changes}


async def placed_sale(api: Api) -> str:
    answer = await api.post("/orders", await sale_body(api))
    assert answer.status_code == 201, f"POST /orders: {answer.status_code} {answer.text}"
    return str(answer.json()["data"]["id"])


async def calculation_body(api: Api) -> dict[str, Any]:
    service, staff = await service_and_staff(api)
    line = {"item_id": service["id"], "quantity": 2, "price": 82.5, "staff_id": staff["id"], "option_id": []}
    return {
        "discount": {"amount": 15, "type": "percentage", "apply_all": False},
        "items": [{**line, "applyDiscount": True}],
    }


async def till_order_body(api: Api) -> dict[str, Any]:
    """Two at their price with 10 % off, paid with 20 too much."""
    goods = await product(api)
    unit = goods["price"] if goods["offer_price"] is None else goods["offer_price"]
    before = Decimal(str(unit)) * 2
    after = before - (before / 10).quantize(Decimal("0.01"), ROUND_HALF_UP)
    line = {"id": goods["id"], "type": "product", "price": unit, "staffId": None, "quantity": 2}
    return {
        "start": None,
        "total": f"{after:.2f}",
        "sub_total": f"{before:.2f}",
        "cashier": "Amal",
        "cashier_code": "1042",
        "isDraft": False,
        "discount": {"amount": 10, "type": "percentage", "apply_all": True},
        "customer_id": await customer(api),
        "services": [{**line, "unit_amount": unit, "total_amount": float(before), "applyDiscount": True}],
        "payment_methods": [
            {"id": await method_of(api, "cash"), "amount": float(after), "total_amount": float(after + 20)}
        ],
    }


def tag_name() -> str:
    return f"Tag {uuid4().hex[:12]}"


async def made_tag(api: Api) -> str:
    answer = await api.key_call("POST", "/tags", params={"model": "customers"}, body={"name": tag_name()})
    assert answer.status_code == 201, f"POST /tags: {answer.status_code} {answer.text}"
    return str(answer.json()["data"]["id"])


async def _tags(api: Api) -> list[dict[str, Any]]:
    answer = await api.key_call("GET", "/tags", params={"model": "customers"})
    assert answer.status_code == 200, f"GET /tags: {answer.status_code} {answer.text}"
    found: list[dict[str, Any]] = answer.json()["data"]
    return found


async def _phone(api: Api) -> Request:
    known = await api.first("/customers", phone="966")
    return Request("/customers/phone", {"phone": known["phone"]})


async def _change_customer(api: Api) -> Request:
    made = await api.post("/customers", {"first_name": "Contract"})
    return Request(f"/customers/{made.json()['data']['id']}", {}, await customer_body(api))


async def _new_customer(api: Api) -> str:
    made = await api.post("/customers", {"first_name": "Contract"})
    assert made.status_code == 201, made.text
    return str(made.json()["data"]["id"])


async def _tag_customer(api: Api) -> Request:
    return Request(f"/customers/{await _new_customer(api)}/tags", {}, {"name": tag_name()})


async def _untag_customer(api: Api) -> Request:
    tagging = await _tag_customer(api)
    tagged = await api.post(tagging.path, tagging.body)
    return Request(tagging.path, {"tag_id": tagged.json()["data"]["tags"][0]["id"]})


async def _block(api: Api) -> Request:
    return Request(f"/customers/{await _new_customer(api)}/block", {}, {"reason": "Did not come"})


async def _unblock(api: Api) -> Request:
    return Request(f"/customers/{await _new_customer(api)}/unblock", {}, {})


async def _merge(api: Api) -> Request:
    body = {"customer_id": await _new_customer(api), "take": ["name", "phone"]}
    return Request(f"/customers/{await _new_customer(api)}/merge", {}, body)


async def _status(api: Api) -> Request:
    body = {"status": "completed", "note_for_status": "Fetched by her brother"}
    return Request(f"/orders/{await placed_sale(api)}/status", {}, body)


async def _cancel(api: Api) -> Request:
    body = {"reason": "The customer is ill", "note_for_status": "By phone", "no_show": True, "notify": False}
    return Request(f"/orders/{await placed_sale(api)}/cancel", {}, body)


async def _reschedule(api: Api) -> Request:
    order = (await api.post("/orders", await order_body(api))).json()["data"]
    service = next(line for line in (await api.record(f"/orders/{order['id']}"))["items"] if line["type"] == "service")
    items = [{"line_id": service["line_id"], "staff_id": service["staff_id"]}]
    return Request(f"/orders/{order['id']}/reschedule", {}, {"start": await offered_start(api), "items": items})


async def _payment(api: Api) -> Request:
    body = {
        "amount": 40.5,
        "payment_method_id": await method_of(api, "cash"),
        "note": "First half",
        "reference_number": "B-2",
        "date": "2026-01-02T10:30:00",
    }
    return Request(f"/orders/{await placed_sale(api)}/payments", {}, body)


async def _refund(api: Api) -> Request:
    payment = {"amount": 81, "payment_method_id": await method_of(api, "cash")}
    paid = await api.post("/orders", await sale_body(api, payment=payment))
    assert paid.status_code == 201, f"POST /orders: {paid.status_code} {paid.text}"
    order = await api.record(f"/orders/{paid.json()['data']['id']}")
    lines = [{"line_id": order["items"][0]["line_id"], "quantity": 1}]
    body = {"lines": lines, "payment_method_id": await method_of(api, "card"), "restock": True, "cancel_order": False}
    return Request(f"/orders/{order['id']}/refunds", {}, {**body, "reason": "Torn"})


async def _find(api: Api) -> Request:
    return Request("/customers/find", (await _phone(api)).params)


async def _list_tags(_api: Api) -> Request:
    return Request("/tags", {"model": "customers"})


async def _post_tag(_api: Api) -> Request:
    return Request("/tags", {"model": "customers"}, {"name": tag_name()})


async def _delete_tag(api: Api) -> Request:
    return Request(f"/tags/{await made_tag(api)}", {})


def _posting(path: str, body: Callable[[Api], Awaitable[dict[str, Any]]]) -> Builder:
    async def build(api: Api) -> Request:
        return Request(path, {}, await body(api))

    return build


async def _method_body(_api: Api) -> dict[str, Any]:
    return {"name": f"Voucher booklet {uuid4().hex[:6]}", "type": "other", "status": True}


_BUILDERS: dict[str, Builder] = {
    "POST /orders": _posting("/orders", order_body),
    "POST /orders + payment": _posting("/orders", paid_order_body),
    "POST /orders/{uuid}/status": _status,
    "POST /orders/{uuid}/cancel": _cancel,
    "POST /orders/{uuid}/reschedule": _reschedule,
    "POST /orders/{id}/payments": _payment,
    "POST /orders/{uuid}/refunds": _refund,
    "POST /availability": _posting("/availability", availability_body),
    "POST /availability/explain": _posting("/availability/explain", explaining(availability_body)),
    "POST /exports": _posting("/exports", platform_bodies.export_body),
    "POST /holds": _posting("/holds", hold_body),
    "GET /customers/phone": _phone,
    "POST /customers": _posting("/customers", customer_body),
    "PATCH /customers/{uuid}": _change_customer,
    "POST /customers/{uuid}/tags": _tag_customer,
    "DELETE /customers/{uuid}/tags": _untag_customer,
    "POST /customers/{uuid}/block": _block,
    "POST /customers/{uuid}/unblock": _unblock,
    "POST /customers/{uuid}/merge": _merge,
    "POST /payment-methods": _posting("/payment-methods", _method_body),
    "POST /sandbox/clock": _posting("/sandbox/clock", platform_bodies.clock_body),
    "POST /sandbox/faults": _posting("/sandbox/faults", platform_bodies.fault_body),
    "POST /sandbox/snapshots": _posting("/sandbox/snapshots", platform_bodies.snapshot_body),
    "POST /pos/checkout-calculate": _posting("/pos/checkout-calculate", calculation_body),
    "POST /pos/orders": _posting("/pos/orders", till_order_body),
    "POST /tags": _post_tag,
    "GET /tags": _list_tags,
    "DELETE /tags/{tagId}": _delete_tag,
    "GET /customers/find": _find,
}
