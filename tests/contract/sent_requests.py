"""Requests that were sent before, for the operations that ask what happened to them, and those made from others."""

from collections.abc import Awaitable, Callable
from typing import Any
from uuid import uuid4

from tests.contract.api import Api
from tests.support.set_up_requests import Make, Request
from tests.support.shop import Shop


async def sent_id(shop: Shop, *, is_key: bool) -> str:
    answer = await (shop.key_call("GET", "/items") if is_key else shop.get("/limits"))
    assert answer.status_code == 200, answer.text
    return str(answer.headers["x-request-id"])


async def sent_key(shop: Shop, *, is_key: bool) -> str:
    key = str(uuid4())
    headers = {"idempotency-key": key}
    if is_key:
        answer = await shop.key_call("POST", "/tags?model=customers", json={"name": key}, headers=headers)
    else:
        answer = await shop.post("/customers", {"first_name": "Contract"}, headers=headers)
    assert answer.status_code == 201, answer.text
    return key


def explaining(search: Callable[[Api], Awaitable[dict[str, Any]]]) -> Callable[[Api], Awaitable[dict[str, Any]]]:
    """Asks about a time that the search of starts does not offer."""

    async def make(api: Api) -> dict[str, Any]:
        body = await search(api)
        asked = {name: body[name] for name in ("service_id", "staff_id", "quantity")}
        return {**asked, "start": f"{body['date']}T03:07:00"}

    return make


def _by_id(*, is_key: bool) -> Make:
    async def make(shop: Shop) -> Request:
        return Request(f"/requests/{await sent_id(shop, is_key=is_key)}", None)

    return make


def _by_key(*, is_key: bool) -> Make:
    async def make(shop: Shop) -> Request:
        return Request(f"/requests?idempotency_key={await sent_key(shop, is_key=is_key)}", None)

    return make


async def _explained(shop: Shop) -> Request:
    (service, *_) = (await shop.get("/items", params={"type": "service"})).json()["data"]
    return Request("/availability/explain", {"service_id": service["id"], "start": "2030-03-01T03:07:00"})


async def _notes(shop: Shop) -> Request:
    (customer, *_) = (await shop.get("/customers")).json()["data"]
    return Request(f"/customers/{customer['id']}/notes", None)


async def _waiting(_shop: Shop) -> Request:
    return Request("/waiting-list?from=2026-01-01&per_page=100", None)


REPORTS = {
    "open GET /customers/{uuid}/notes": _notes,
    "open GET /waiting-list": _waiting,
    "open POST /availability/explain": _explained,
    "open GET /requests": _by_key(is_key=False),
    "open GET /requests/{id}": _by_id(is_key=False),
    "pos GET /requests": _by_key(is_key=True),
    "pos GET /requests/{id}": _by_id(is_key=True),
}
