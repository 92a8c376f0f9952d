"""The limits table, each row with what shows the limit from both sides over HTTP."""

from collections.abc import Awaitable, Callable
from typing import Any

from tests.contract.api import Api
from tests.contract.customer_bodies import customer_body
from tests.contract.requests import availability_body, order_body
from tests.support.service import Service

Limit = Callable[[Service, Api], Awaitable[None]]


async def _status(api: Api, method: str, path: str, **rest: Any) -> int:
    return (await api.request(method, path, **rest)).status_code


async def _request_rate(service: Service, _api: Api) -> None:
    """Sixty a minute for the client, however many tokens it has; the next one waits."""
    hasty = Api(service, await service.new_shop(rate_limit=None))
    tokens = [await hasty.token(), await hasty.token("branches:read")]
    answers = [await hasty.request("GET", "/branches", token=tokens[n % 2]) for n in range(62)]
    assert [answer.status_code for answer in answers] == [200] * 60 + [429] * 2
    assert answers[0].headers["x-ratelimit-limit"] == "60"
    assert answers[59].headers["x-ratelimit-remaining"] == "0"
    assert 1 <= int(answers[60].headers["retry-after"]) <= 60


async def _key_rate(service: Service, _api: Api) -> None:
    """Twice as many for a till, which has a queue before it."""
    hasty = Api(service, await service.new_shop(rate_limit=None))
    answers = [await hasty.key_call("GET", "/items", params={"per_page": "1"}) for _ in range(121)]
    assert [answer.status_code for answer in answers] == [200] * 120 + [429]
    assert 1 <= int(answers[120].headers["retry-after"]) <= 60


async def _per_page_default(_service: Service, api: Api) -> None:
    body = (await api.request("GET", "/customers")).json()
    assert body["meta"]["per_page"] == 25
    assert len(body["data"]) == 25 < body["meta"]["total"]


async def _per_page_maximum(_service: Service, api: Api) -> None:
    assert await _status(api, "GET", "/customers", params={"per_page": "100"}) == 200
    assert await _status(api, "GET", "/customers", params={"per_page": "101"}) == 422


async def _page_default(_service: Service, api: Api) -> None:
    unnamed, first = [await api.request("GET", "/customers", params=params) for params in ({}, {"page": "1"})]
    assert unnamed.json()["meta"]["current_page"] == 1
    assert unnamed.json() == first.json()


async def _token_lifetime(_service: Service, api: Api) -> None:
    """What is promised is also what is kept: the token itself ends a year after it was made."""
    answer = (await api.shop.ask_for_token()).json()
    assert answer["expires_in"] == 31_536_000
    client = {"client_id": api.shop.sandbox.client_id, "client_secret": api.shop.sandbox.client_secret}
    facts = (await api.post("/oauth/introspect", {**client, "token": answer["access_token"]})).json()
    assert facts["exp"] - facts["iat"] == 31_536_000


async def _days(api: Api, **changes: Any) -> list[str]:
    body = {**await availability_body(api), "next_availability": False, **changes}
    answer = await api.post("/availability", {name: value for name, value in body.items() if value is not None})
    assert answer.status_code == 200, f"{answer.status_code} {answer.text}"
    return sorted(answer.json()["data"]["slots"])


async def _visible_days(_service: Service, api: Api) -> None:
    assert len(await _days(api, visible_days=None)) == 7
    assert len(await _days(api, visible_days=1)) == 1
    assert len(await _days(api, visible_days=30)) == 30
    for days in (0, 31):
        body = {**await availability_body(api), "visible_days": days}
        assert await _status(api, "POST", "/availability", body=body) == 422


async def _availability_quantity(_service: Service, api: Api) -> None:
    body = await availability_body(api)
    one = await api.post("/availability", {**body, "quantity": 1})
    unnamed = await api.post("/availability", {name: body[name] for name in body if name != "quantity"})
    four = await api.post("/availability", {**body, "quantity": 4})
    assert one.status_code == unnamed.status_code == four.status_code == 200, one.text
    assert unnamed.json() == one.json()
    assert four.json() != one.json()


async def _order_items(_service: Service, api: Api) -> None:
    body = await order_body(api)
    assert await _status(api, "POST", "/orders", body={**body, "items": []}) == 422
    assert await _status(api, "POST", "/orders", body={**body, "items": body["items"][:1]}) == 201


async def _item_quantity(_service: Service, api: Api) -> None:
    body = await order_body(api)
    for quantity, status in ((0, 422), (1, 201)):
        line = {**body["items"][0], "quantity": quantity}
        assert await _status(api, "POST", "/orders", body={**body, "items": [line]}) == status


def _customer_text(field: str, shortest: str) -> Limit:
    """As short as allowed is taken, one character less is refused, and the answer says where."""

    async def check(_service: Service, api: Api) -> None:
        body = await customer_body(api)
        taken = await api.post("/customers", {**body, field: shortest})
        assert taken.status_code == 201, taken.text
        assert taken.json()["data"][field] == shortest
        refused = await api.post("/customers", {**await customer_body(api), field: shortest[:-1]})
        assert refused.status_code == 422
        assert list(refused.json()["errors"]) == [field]

    return check


LIMITS: dict[str, Limit] = {
    "request rate": _request_rate,
    "request rate of a key": _key_rate,
    "per_page default": _per_page_default,
    "per_page maximum": _per_page_maximum,
    "page default": _page_default,
    "token lifetime": _token_lifetime,
    "availability visible_days": _visible_days,
    "availability quantity default": _availability_quantity,
    "order items": _order_items,
    "item quantity minimum": _item_quantity,
    "customer first_name": _customer_text("first_name", "Bo"),
    "customer last_name": _customer_text("last_name", "Li"),
    "customer city": _customer_text("city", "Ulm"),
    "customer address": _customer_text("address", "A 1"),
    "customer tax_registration_number": _customer_text("tax_registration_number", "310122393500003"),
}
