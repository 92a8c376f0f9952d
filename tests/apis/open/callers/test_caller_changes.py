"""A change of a token, a client or a tenant counts for the very next request."""

from typing import Any
from uuid import UUID

import pytest

from frontdesk.auth.credentials import parse_client_id
from frontdesk.security.secrets import hash_secret
from tests.factories.changes import ago, change_row, change_rows, change_tenant
from tests.support.service import Service
from tests.support.shop import Shop


@pytest.fixture
async def shop(service: Service, other_shop: Shop) -> Shop:
    """One whose zone may be changed."""
    return await service.new_shop()


def _client(shop: Shop) -> UUID:
    names = parse_client_id(shop.sandbox.client_id)
    assert names is not None
    return names[1]


async def _order_path(shop: Shop) -> str:
    rows = await shop.sql("SELECT id FROM orders WHERE tenant_id = $1 AND starts_at IS NOT NULL LIMIT 1")
    return f"/orders/{rows[0]['id']}"


async def _read(shop: Shop, path: str) -> dict[str, Any]:
    answer = await shop.request("GET", path)
    assert answer.status_code == 200, answer.text
    return answer.json()["data"]  # type: ignore[no-any-return]


async def test_a_changed_time_zone_counts_for_the_next_request(shop: Shop) -> None:
    path = await _order_path(shop)
    assert (await _read(shop, path))["start"].endswith("+03:00")
    await change_tenant(shop, timezone="Asia/Dubai")
    try:
        assert (await _read(shop, path))["start"].endswith("+04:00")
    finally:
        await change_tenant(shop, timezone="Asia/Riyadh")
    assert (await _read(shop, path))["start"].endswith("+03:00")


async def test_a_removed_or_restored_scope_counts_for_the_next_request(shop: Shop) -> None:
    path = await _order_path(shop)
    await _read(shop, path)
    (before,) = await shop.sql("SELECT scopes FROM api_clients WHERE tenant_id = $1 AND id = $2", _client(shop))
    await _set_scopes(shop, ["items:read"])
    answer = await shop.request("GET", path)
    assert (answer.status_code, answer.json()["error"]) == (403, "insufficient_scope")
    await _set_scopes(shop, before["scopes"])
    await _read(shop, path)


async def _set_scopes(shop: Shop, scopes: list[str]) -> None:
    await change_row(shop, "api_clients", _client(shop), scopes=scopes)


async def test_a_revoked_token_is_refused_before_its_query_is_checked(shop: Shop) -> None:
    token = await shop.new_token()
    assert (await shop.request("GET", "/orders", token=token)).status_code == 200
    await change_rows(shop, "access_tokens", {"token_hash": hash_secret(token)}, revoked_at=ago())
    for path in ("/orders", "/orders?page=none", "/orders/none", await _order_path(shop)):
        answer = await shop.request("GET", path, token=token)
        assert (answer.status_code, answer.json()["error"]) == (401, "authentication_failed"), path
        assert "x-ratelimit-limit" not in answer.headers


async def test_a_request_with_an_invalid_query_counts_towards_the_rate_limit(shop: Shop) -> None:
    paths = ("/orders", "/orders?page=none", "/orders/none", "/orders")
    left = [int((await shop.request("GET", path)).headers["x-ratelimit-remaining"]) for path in paths]
    assert left == [left[0], left[0] - 1, left[0] - 2, left[0] - 3]
