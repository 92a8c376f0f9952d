"""A full request for every operation that sets up a business. Each makes what it needs, and differs from the others."""

from collections.abc import Awaitable, Callable
from itertools import count
from typing import Any, NamedTuple
from uuid import uuid4

from tests.support.pagination import Document, json_exact
from tests.support.shop import Shop

_numbers = count(1)


class Request(NamedTuple):
    path: str
    body: Document | None = None


Make = Callable[[Shop], Awaitable[Request]]


def name(english: str) -> Document:
    return {"en": f"{english} {uuid4().hex[:8]}", "ar": f"اسم {next(_numbers)}"}


def code() -> str:
    return uuid4().hex[:12]


def own_fields() -> Document:
    """What an application stores with a record."""
    return {"external_id": code(), "metadata": {"colour": "blue"}}


async def first(shop: Shop, path: str, **params: str) -> Document:
    found: Document = json_exact(await shop.get(path, params={"per_page": "1", **params}))["data"][0]
    return found


async def made(shop: Shop, path: str, body: Document) -> Document:
    document: Document = json_exact(await shop.post(path, body), 201)["data"]
    return document


async def category_body(shop: Shop) -> Document:
    branch = await first(shop, "/branches")
    return {"name": name("Nails"), "branch_id": branch["id"], "description": name("All for nails"), "status": True}


async def _sold(shop: Shop) -> Document:
    category = await first(shop, "/categories")
    return {
        "name": name("Thing"),
        "price": 120.5,
        "branch_id": category["branch"]["id"],
        "category_id": category["id"],
        "tax_class_id": None,
        "description": name("What it is"),
        "sku": code(),
        "barcode": code(),
        "status": True,
        "offer_price": 99,
        "offer_from": "2026-01-02",
        "offer_until": "2100-12-31",
    }


def _option() -> Document:
    return {
        "name": name("Long"),
        "price": 150,
        "offer_price": 140.25,
        "sku": code(),
        "barcode": code(),
        "is_active": True,
    }


async def service_body(shop: Shop) -> Document:
    sold = await _sold(shop)
    staff = await first(shop, "/staff", branch_id=sold["branch_id"])
    times = {"duration": 45, "buffer_before": 5, "buffer_after": 10, "base_sellable": True}
    options = [{**_option(), "duration": 60}]
    return {"type": "service", **sold, **times, "staff_ids": [staff["id"]], "options": options, **own_fields()}


async def product_body(shop: Shop) -> Document:
    own = {"cost": 40, "supplier": "Noor Trading", "stock": 20, "low_stock": 5}
    return {"type": "product", **await _sold(shop), **own}


async def package_body(shop: Shop) -> Document:
    item = await made(shop, "/items", await product_body(shop))
    return {
        "name": name("Set"),
        "branch_id": item["branch"]["id"],
        "items": [{"item_id": item["id"], "quantity": 2}],
        "price": 200,
        "offer_price": 180,
        "offer_from": "2026-01-02",
        "offer_until": "2100-12-31",
        "tax_class_id": None,
        "description": name("Both"),
        "sku": code(),
        "status": True,
    }


def without(body: Document, *fields: str) -> Document:
    return {field: value for field, value in body.items() if field not in fields}


def _post(path: str, body: Callable[[Shop], Awaitable[Document]]) -> Make:
    async def make(shop: Shop) -> Request:
        return Request(path, await body(shop))

    return make


def _patch(path: str, body: Callable[[Shop], Awaitable[Document]], *fixed: str) -> Make:
    """Of a record made for it, which gets all the values of another. `fixed` fields cannot change."""

    async def make(shop: Shop) -> Request:
        record = await made(shop, path, await body(shop))
        changes = without(await body(shop), *fixed)
        return Request(f"{path}/{record['id']}", {**changes, "version": record["version"]})

    return make


def moving(path: str, body: Callable[[Shop], Awaitable[Document]]) -> Make:
    async def make(shop: Shop) -> Request:
        first_one, moved = [await made(shop, path, await body(shop)) for _ in range(2)]
        return Request(f"{path}/{moved['id']}/move", {"before": first_one["id"]})

    return make


def _delete(path: str, body: Callable[[Shop], Awaitable[Document]]) -> Make:
    async def make(shop: Shop) -> Request:
        return Request(f"{path}/{(await made(shop, path, await body(shop)))['id']}")

    return make


async def _option_post(shop: Shop) -> Request:
    item = await made(shop, "/items", await service_body(shop))
    return Request(f"/items/{item['id']}/options", {**_option(), "duration": 70})


async def _option_patch(shop: Shop) -> Request:
    item = await made(shop, "/items", await service_body(shop))
    body = {**_option(), "duration": 75, "is_active": False, "version": item["version"]}
    return Request(f"/item-options/{item['options'][0]['id']}", body)


async def _move_stock(shop: Shop) -> Request:
    item = await made(shop, "/items", await product_body(shop))
    return Request(f"/items/{item['id']}/stock-movements", {"reason": "delivery", "quantity": 7, "note": code()})


async def staff_body(shop: Shop) -> Document:
    service = await first(shop, "/items", type="service")
    return {
        "name": f"Noura {code()}",
        "branch_id": service["branch"]["id"],
        "service_ids": [service["id"]],
        "names": name("Noura"),
        "title": name("Stylist"),
        "phone": "0501234567",
        "phone_country": "SA",
        "email": "noura@example.com",
        **own_fields(),
    }


async def _patch_staff(shop: Shop) -> Request:
    member = await made(shop, "/staff", await staff_body(shop))
    changes = await staff_body(shop)
    (service_id,) = changes.pop("service_ids")
    changes["services"] = [{"service_id": service_id, "price": 135.5, "duration": 50}]
    return Request(f"/staff/{member['id']}", {**changes, "status": False, "version": member["version"]})


async def _store_with_order(shop: Shop) -> Request:
    return Request(f"/orders/{(await first(shop, '/orders'))['id']}", own_fields())


async def branch_body(_shop: Shop) -> Document:
    number = code()
    return {
        "name": f"Olaya {number}",
        "names": name("Olaya"),
        "slug": f"olaya-{number}",
        "phone": "0501234567",
        "phone_country": "SA",
        "address": "Olaya Street 12",
        "location": "https://maps.example/olaya",
    }


async def _patch_branch(shop: Shop) -> Request:
    branch = await made(shop, "/branches", await branch_body(shop))
    return Request(f"/branches/{branch['id']}", {**await branch_body(shop), "status": False})


async def tax_class_body(_shop: Shop) -> Document:
    rates = [{"starts_on": "2026-01-01", "rate": 5}, {"starts_on": "2100-01-01", "rate": 7.5}]
    return {"name": name("Reduced"), "rates": rates, "is_default": False}


def _hours(path: str, body: Callable[[Shop], Awaitable[Document]], **more: str) -> Make:
    async def make(shop: Shop) -> Request:
        owner = await made(shop, path, await body(shop))
        day = {"day": "mon", "from": "09:00", "to": "17:00"}
        return Request(f"{path}/{owner['id']}/working-hours", {**more, "all_time": False, "intervals": [day]})

    return make


async def report_body(_shop: Shop) -> Document:
    shown = {"group": "flow", "title": "500 to an order, twice", "expected": "one order is made"}
    scenarios = [
        {"id": "server-error", "outcome": "failed", "message": "made 2 orders instead of one", **shown},
        {"id": "books", "outcome": "passed", **shown},
    ]
    return {"kit": f"frontdesk 1.0.{next(_numbers)}", "scenarios": scenarios}


async def _stored_report(shop: Shop) -> Request:
    json_exact(await shop.post("/sandbox/conformance", await report_body(shop)))
    return Request("/sandbox/conformance")


MAKE: dict[str, Make] = {
    "POST /sandbox/conformance": _post("/sandbox/conformance", report_body),
    "GET /sandbox/conformance": _stored_report,
    "PATCH /orders/{uuid}": _store_with_order,
    "POST /staff": _post("/staff", staff_body),
    "PATCH /staff/{uuid}": _patch_staff,
    "PUT /staff/{uuid}/working-hours": _hours("/staff", staff_body, source="staff"),
    "POST /tax-classes": _post("/tax-classes", tax_class_body),
    "PATCH /tax-classes/{uuid}": _patch("/tax-classes", tax_class_body),
    "DELETE /tax-classes/{uuid}": _delete("/tax-classes", tax_class_body),
    "POST /branches": _post("/branches", branch_body),
    "PATCH /branches/{uuid}": _patch_branch,
    "PUT /branches/{uuid}/working-hours": _hours("/branches", branch_body),
    "POST /items": _post("/items", service_body),
    "PATCH /items/{uuid}": _patch("/items", service_body, "type", "options"),
    "DELETE /items/{uuid}": _delete("/items", service_body),
    "POST /items/{uuid}/options": _option_post,
    "PATCH /item-options/{uuid}": _option_patch,
    "POST /items/{uuid}/stock-movements": _move_stock,
    "POST /packages": _post("/packages", package_body),
    "PATCH /packages/{uuid}": _patch("/packages", package_body, "branch_id"),
    "DELETE /packages/{uuid}": _delete("/packages", package_body),
    "POST /categories": _post("/categories", category_body),
    "PATCH /categories/{uuid}": _patch("/categories", category_body, "branch_id"),
    "POST /categories/{uuid}/move": moving("/categories", category_body),
    "DELETE /categories/{uuid}": _delete("/categories", category_body),
}


async def request_for(shop: Shop, name: str) -> Any:
    return await MAKE[name](shop)
