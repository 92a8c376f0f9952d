"""A full request for every operation on commission rates and cashiers."""

from tests.support.pagination import Document
from tests.support.set_up_requests import Make, Request, code, first, made, product_body, staff_body
from tests.support.shop import Shop

DAY = "2098-03-04"


async def rate_body(shop: Shop) -> Document:
    member = await made(shop, "/staff", await staff_body(shop))
    item = await made(shop, "/items", await product_body(shop))
    return {"percent": 12.5, "starts_on": DAY, "staff_id": member["id"], "item_id": item["id"]}


async def cashier_body(shop: Shop) -> Document:
    return {"name": f"Huda {code()}", "code": code(), "branch_id": (await first(shop, "/categories"))["branch"]["id"]}


async def made_rate(shop: Shop) -> Document:
    return await made(shop, "/commission-rates", await rate_body(shop))


async def made_cashier(shop: Shop) -> Document:
    return await made(shop, "/cashiers", await cashier_body(shop))


async def _create_rate(shop: Shop) -> Request:
    return Request("/commission-rates", await rate_body(shop))


async def _change_rate(shop: Shop) -> Request:
    rate = await made_rate(shop)
    changes = {"percent": 7, "starts_on": "2098-03-05", "version": rate["version"]}
    return Request(f"/commission-rates/{rate['id']}", changes)


async def _delete_rate(shop: Shop) -> Request:
    return Request(f"/commission-rates/{(await made_rate(shop))['id']}")


async def _create_cashier(shop: Shop) -> Request:
    return Request("/cashiers", await cashier_body(shop))


async def _change_cashier(shop: Shop) -> Request:
    cashier = await made_cashier(shop)
    changes = {**await cashier_body(shop), "status": False, "version": cashier["version"]}
    return Request(f"/cashiers/{cashier['id']}", changes)


def _listed(path: str) -> Make:
    async def make(_shop: Shop) -> Request:
        return Request(path)

    return make


MAKE: dict[str, Make] = {
    "GET /commission-rates": _listed("/commission-rates"),
    "POST /commission-rates": _create_rate,
    "PATCH /commission-rates/{uuid}": _change_rate,
    "DELETE /commission-rates/{uuid}": _delete_rate,
    "GET /cashiers": _listed("/cashiers"),
    "POST /cashiers": _create_cashier,
    "PATCH /cashiers/{uuid}": _change_cashier,
}
