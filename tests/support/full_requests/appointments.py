"""A full request for every operation on appointments that repeat, and on what the page of an order does."""

from datetime import UTC, datetime
from itertools import count

from tests.factories.changes import change_row
from tests.support.branch import day
from tests.support.pagination import Document, json_exact
from tests.support.set_up_requests import Make, Request, code, made, product_body, service_body, staff_body
from tests.support.shop import Shop

_numbers = count(1)


async def appointment(shop: Shop) -> Document:
    """The body of an order, for a provider who has no other booking."""
    service = await made(shop, "/items", await service_body(shop))
    branch_id = service["branch"]["id"]
    person = {**await staff_body(shop), "branch_id": branch_id, "service_ids": [service["id"]]}
    member = await made(shop, "/staff", person)
    search = {"service_id": service["id"], "staff_id": member["id"], "date": str(day(3)), "visible_days": 7}
    slots = json_exact(await shop.post("/availability", search))["data"]["slots"]
    on, times = next((on, times) for on, times in slots.items() if times)
    customer = await made(shop, "/customers", {"first_name": "Joud"})
    line = {"id": service["id"], "type": "service", "quantity": 1, "staff_id": member["id"]}
    return {
        "team_id": branch_id,
        "customer_id": customer["id"],
        "items": [line],
        "start": f"{on}T{times[0]}:00",
        "note": f"By the window {code()}",
    }


async def booked(shop: Shop) -> Document:
    return await _read(shop, (await made(shop, "/orders", await appointment(shop)))["id"])


async def _read(shop: Shop, order_id: str) -> Document:
    found: Document = json_exact(await shop.get(f"/orders/{order_id}"))["data"]
    return found


async def _replace(shop: Shop) -> Request:
    product = await made(shop, "/items", await product_body(shop))
    body = await appointment(shop)
    body["items"].insert(0, {"id": product["id"], "type": "product", "quantity": 1})
    order = await _read(shop, (await made(shop, "/orders", body))["id"])
    sold, service = (
        {**item, "line_id": line["line_id"]} for item, line in zip(body["items"], order["items"], strict=True)
    )
    replaced = {
        "items": [{**sold, "quantity": 2, "unit_amount": 90, "discount_amount": 10}, service],
        "discount": {"amount": 5, "type": "percentage", "apply_all": True},
        "start": body["start"],
        "note": f"Agreed on the phone {code()}",
        "updated_at": order["updated_at"],
    }
    return Request(f"/orders/{order['id']}/items", replaced)


async def _arrive(shop: Shop) -> Request:
    order = await booked(shop)
    await change_row(shop, "orders", order["id"], starts_at=datetime.now(UTC))
    return Request(f"/orders/{order['id']}/arrived", {"arrived": bool(next(_numbers) % 2)})


def _link(rest: str) -> Make:
    async def make(shop: Shop) -> Request:
        return Request(f"/orders/{(await booked(shop))['id']}/{rest}")

    return make


async def _repeat(shop: Shop) -> Request:
    return Request("/order-series", {**await appointment(shop), "every_weeks": 1, "times": 2})


async def _read_series(shop: Shop) -> Request:
    series = await made(shop, *await _repeat(shop))  # type: ignore[arg-type]
    return Request(f"/orders/{series['orders'][0]['id']}/series")


async def _cancel_series(shop: Shop) -> Request:
    path, _ = await _read_series(shop)
    body = {"following": True, "reason": "The customer is ill", "note_for_status": code(), "notify": False}
    return Request(f"{path}/cancel", body)


async def _distinct(shop: Shop) -> Request:
    one, other = [await made(shop, "/customers", {"first_name": "Joud"}) for _ in range(2)]
    return Request(f"/customers/{one['id']}/distinct", {"customer_id": other["id"]})


MAKE: dict[str, Make] = {
    "PUT /orders/{uuid}/items": _replace,
    "POST /orders/{uuid}/arrived": _arrive,
    "POST /orders/{uuid}/booking-link": _link("booking-link"),
    "POST /orders/{uuid}/receipt-link": _link("receipt-link"),
    "POST /order-series": _repeat,
    "GET /orders/{uuid}/series": _read_series,
    "POST /orders/{uuid}/series/cancel": _cancel_series,
    "POST /customers/{uuid}/distinct": _distinct,
}
