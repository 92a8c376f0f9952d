"""Fields and parameters that nobody knows are ignored, and named in the answer."""

from typing import Any

import pytest

from tests.support.branch import BranchFixture, line, open_branch
from tests.support.http_errors import assert_error
from tests.support.service import Service
from tests.support.shop import OPEN_API, Shop

HEADER = "frontdesk-ignored"


@pytest.fixture(scope="module")
async def branch(service: Service, other_shop: Shop) -> BranchFixture:
    return await open_branch(await service.new_shop())


async def test_a_request_without_unknown_fields_has_no_header_of_ignored_fields(branch: BranchFixture) -> None:
    for answer in (
        await branch.shop.get("/orders?per_page=1&status=confirmed"),
        await branch.shop.post("/orders", await _sale(branch)),
        await branch.shop.key_call("GET", "/items"),
        await branch.shop.ask_for_token(),
    ):
        assert answer.status_code in (200, 201)
        assert HEADER not in answer.headers


async def test_unknown_parameters_are_named(branch: BranchFixture) -> None:
    shop = branch.shop
    assert (await shop.get("/orders?statuss=draft&per_page=1&Page=2")).headers[HEADER] == "statuss, Page"
    assert (await shop.get("/orders?statuss=draft&status=wrong")).headers[HEADER] == "statuss"
    order = (await shop.get("/orders?per_page=1")).json()["data"][0]["id"]
    assert (await shop.get(f"/orders/{order}?expand=customer")).headers[HEADER] == "expand"
    assert (await shop.key_call("GET", "/items?search=a")).headers[HEADER] == "search"


async def test_unknown_fields_are_named_where_they_stand(branch: BranchFixture) -> None:
    sale = await _sale(branch)
    sale["items"][0]["unit_price"] = 5
    answer = await branch.shop.post("/orders", {**sale, "custmer": 1, "payment": None})
    assert answer.status_code == 201, answer.text
    assert answer.headers[HEADER] == "custmer, items.0.unit_price"


async def test_ignored_fields_are_named_in_an_error_too(branch: BranchFixture) -> None:
    answer = await branch.shop.post("/customers", {"firstname": "Maha", "last_name": "Ali"})
    assert "first_name" in assert_error(answer, 422, "validation_error")["errors"]
    assert answer.headers[HEADER] == "firstname"


async def test_the_token_endpoint_names_ignored_fields(service: Service, branch: BranchFixture) -> None:
    sandbox = branch.shop.sandbox
    body = {
        "grant_type": "client_credentials",
        "client_id": sandbox.client_id,
        "client_secret": sandbox.client_secret,
        "scopes": "orders:read",
    }
    bodies: list[dict[str, Any]] = [{"json": body}, {"data": body}]
    for sent in bodies:
        answer = await service.http.post(f"{OPEN_API}/oauth/token", **sent)
        assert (answer.status_code, answer.headers[HEADER]) == (200, "scopes")


@pytest.mark.parametrize("name", ["a\r\nset-cookie: b=c", "اسم", "a, b", "x" * 5000, "a\u2028b", "\x7f"])
async def test_a_name_is_written_so_that_a_header_can_hold_it(branch: BranchFixture, name: str) -> None:
    answer = await branch.shop.post("/customers", {"first_name": "Maha", "last_name": "Ali", name: 1})
    assert answer.status_code == 201
    assert answer.headers[HEADER].isascii()
    assert len(answer.headers[HEADER]) <= 64 * 6
    assert "," not in answer.headers[HEADER]
    assert "set-cookie" not in answer.headers


async def test_the_number_of_ignored_fields_in_the_header_is_limited(branch: BranchFixture) -> None:
    sale = await _sale(branch)
    sale["items"] = [{**sale["items"][0], **{f"unknown{n}_{m}": 1 for m in range(5)}} for n in range(50)]
    answer = await branch.shop.post("/orders", {**sale, **{f"x{n}": 1 for n in range(1000)}})
    assert len(answer.headers[HEADER].split(", ")) == 20


async def _sale(branch: BranchFixture) -> dict[str, Any]:
    return branch.order(line(await branch.add_product(stock=1000), "product"))


async def test_the_header_of_ignored_fields_stays_short(branch: BranchFixture) -> None:
    names = {"🙂" * 60 + str(number): 1 for number in range(30)}
    answer = await branch.shop.post("/customers", {"first_name": "Maha", **names})
    assert len(answer.headers[HEADER]) <= 1024
