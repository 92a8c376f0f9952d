"""Frontdesk-Dry-Run does not exist yet. A caller who sends it expects that nothing is written, so it is refused."""

import pytest

from tests.support.http_errors import assert_error
from tests.support.salon import Salon, books, line, open_salon
from tests.support.service import Service
from tests.support.shop import KEY_API, Shop

DRY = {"frontdesk-dry-run": "true"}


@pytest.fixture(scope="module")
async def salon(service: Service, other_shop: Shop) -> Salon:
    return await open_salon(await service.new_shop())


@pytest.mark.parametrize("value", ["true", "false", "1", ""])
async def test_it_is_refused_and_nothing_is_written(salon: Salon, service: Service, value: str) -> None:
    body = salon.order(line(await salon.add_product(), "product"))
    before = await books(salon.shop)
    for answer in (
        await salon.shop.post("/orders", body, headers={"frontdesk-dry-run": value}),
        await salon.shop.get("/orders", headers={"frontdesk-dry-run": value}),
        await service.http.post(
            f"{KEY_API}/tags?model=customers",
            json={"name": "Dry"},
            headers={"x-api-key": salon.shop.sandbox.api_key, "frontdesk-dry-run": value},
        ),
    ):
        assert answer.status_code in (400, 422)  # tags answer everything with 400
        assert answer.json()["errors"] == {"Frontdesk-Dry-Run": ["is not supported; nothing was done"]}
    assert await books(salon.shop) == before


async def test_the_token_and_the_scope_come_first(salon: Salon) -> None:
    assert_error(await salon.shop.get("/orders", token="wrong", headers=DRY), 401, "authentication_failed")
    weak = await salon.shop.new_token("items:read")
    assert_error(await salon.shop.get("/orders", token=weak, headers=DRY), 403, "insufficient_scope")
