"""A full request for every operation on the order of records, and on what stands first at the till."""

from tests.support.pagination import Document, json_exact
from tests.support.set_up_requests import Make, Request, code, made, moving, product_body, staff_body
from tests.support.shop import Shop


async def method_body(_shop: Shop) -> Document:
    return {"name": f"Points {code()}", "type": "other"}


async def pinnable(shop: Shop) -> str:
    return str((await made(shop, "/items", await product_body(shop)))["id"])


async def _pin(shop: Shop) -> Request:
    return Request(f"/pinned-items/{await pinnable(shop)}")


async def _pinned(shop: Shop) -> Request:
    request = await _pin(shop)
    json_exact(await shop.request("PUT", request.path))
    return request


async def _list(_shop: Shop) -> Request:
    return Request("/pinned-items")


MAKE: dict[str, Make] = {
    "POST /items/{uuid}/move": moving("/items", product_body),
    "POST /staff/{uuid}/move": moving("/staff", staff_body),
    "POST /payment-methods/{id}/move": moving("/payment-methods", method_body),
    "GET /pinned-items": _list,
    "PUT /pinned-items/{uuid}": _pin,
    "DELETE /pinned-items/{uuid}": _pinned,
}
