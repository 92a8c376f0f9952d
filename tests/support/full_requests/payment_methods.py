"""A full request for every operation on an existing payment method."""

from tests.support.pagination import Document
from tests.support.set_up_requests import Make, Request, code, made, name
from tests.support.shop import Shop


async def made_method(shop: Shop) -> Document:
    return await made(shop, "/payment-methods", {"name": f"Points {code()}", "type": "other"})


async def _change(shop: Shop) -> Request:
    method = await made_method(shop)
    body = {"name": name("Vouchers"), "status": False, "version": method["version"]}
    return Request(f"/payment-methods/{method['id']}", body)


async def _delete(shop: Shop) -> Request:
    return Request(f"/payment-methods/{(await made_method(shop))['id']}")


MAKE: dict[str, Make] = {"PATCH /payment-methods/{id}": _change, "DELETE /payment-methods/{id}": _delete}
