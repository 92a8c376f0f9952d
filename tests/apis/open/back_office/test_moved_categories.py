"""Applications move categories."""

from typing import Any

from tests.support.http_errors import assert_error
from tests.support.pagination import json_exact
from tests.support.set_up_requests import category_body, made
from tests.support.shop import Shop


async def test_a_category_moves_before_another_one_or_to_the_end(own_shop: Shop) -> None:
    one, two, three = [(await made(own_shop, "/categories", await category_body(own_shop)))["id"] for _ in range(3)]

    async def order() -> list[str]:
        listed: Any = json_exact(await own_shop.get("/categories", params={"per_page": "100"}))["data"]
        return [category["id"] for category in listed if category["id"] in (one, two, three)]

    assert await order() == [one, two, three]
    moved = json_exact(await own_shop.post(f"/categories/{three}/move", {"before": one}))["data"]
    assert (moved["id"], await order()) == (three, [three, one, two])
    await own_shop.post(f"/categories/{one}/move", {})
    assert await order() == [three, two, one]
    itself = await own_shop.post(f"/categories/{two}/move", {"before": two})
    assert list(assert_error(itself, 422, "validation_error")["errors"]) == ["before"]
