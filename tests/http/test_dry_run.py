"""Frontdesk-Dry-Run does not exist yet. A caller who sends it expects that nothing is written, so it is refused."""

import pytest

from tests.support.branch import BranchFixture, books, line, open_branch
from tests.support.http_errors import assert_error
from tests.support.service import Service
from tests.support.shop import KEY_API, Shop

DRY = {"frontdesk-dry-run": "true"}


@pytest.fixture(scope="module")
async def branch(service: Service, other_shop: Shop) -> BranchFixture:
    return await open_branch(await service.new_shop())


@pytest.mark.parametrize("value", ["true", "false", "1", ""])
async def test_a_dry_run_is_refused_and_nothing_is_written(branch: BranchFixture, service: Service, value: str) -> None:
    body = branch.order(line(await branch.add_product(), "product"))
    before = await books(branch.shop)
    for answer in (
        await branch.shop.post("/orders", body, headers={"frontdesk-dry-run": value}),
        await branch.shop.get("/orders", headers={"frontdesk-dry-run": value}),
        await service.http.post(
            f"{KEY_API}/tags?model=customers",
            json={"name": "Dry"},
            headers={"x-api-key": branch.shop.sandbox.api_key, "frontdesk-dry-run": value},
        ),
    ):
        assert answer.status_code in (400, 422)  # tags answer everything with 400
        assert answer.json()["errors"] == {"Frontdesk-Dry-Run": ["is not supported; nothing was done"]}
    assert await books(branch.shop) == before


async def test_a_dry_run_needs_token_and_scope_first(branch: BranchFixture) -> None:
    assert_error(await branch.shop.get("/orders", token="wrong", headers=DRY), 401, "authentication_failed")
    weak = await branch.shop.new_token("items:read")
    assert_error(await branch.shop.get("/orders", token=weak, headers=DRY), 403, "insufficient_scope")
