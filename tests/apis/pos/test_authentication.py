"""Who may call the key interface: a living key of a business that is not suspended, within its own minute."""

import asyncio
import time
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import httpx2
import pytest

from frontdesk.auth.credentials import new_key
from frontdesk.security.secrets import hash_secret
from tests.factories.changes import change_tenant
from tests.factories.credentials import make_client, make_key
from tests.support.http_errors import assert_error
from tests.support.service import Service, running_service
from tests.support.shop import KEY_API, Shop

ITEMS = f"{KEY_API}/items"


async def test_a_request_without_a_key_is_challenged(service: Service) -> None:
    _is_refused(await service.http.get(ITEMS))


@pytest.mark.parametrize("sent", [b"x", b"fdk_", b"fdk_short", b"fdk_" + b"A" * 65, b"\xe9", b"' OR 1=1 --", b"a b"])
async def test_what_cannot_be_a_key_is_refused(service: Service, sent: bytes) -> None:
    _is_refused(await service.http.get(ITEMS, headers={b"x-api-key": sent}))


async def test_a_well_formed_key_that_was_never_made_is_refused(service: Service, shop: Shop) -> None:
    for key in (new_key(shop.tenant_id), new_key(uuid4())):
        _is_refused(await _get(service, key))


async def test_a_key_cannot_be_moved_to_another_business(service: Service, shop: Shop, other_shop: Shop) -> None:
    _is_refused(await _get(service, other_shop.sandbox.api_key[:25] + shop.sandbox.api_key[25:]))


async def test_tokens_and_client_secrets_are_no_keys(service: Service, shop: Shop) -> None:
    for secret in (await shop.token(), shop.sandbox.client_secret, shop.sandbox.client_id):
        _is_refused(await _get(service, secret))


async def test_a_key_is_not_taken_from_elsewhere(service: Service, shop: Shop) -> None:
    key = shop.sandbox.api_key
    _is_refused(await service.http.get(ITEMS, headers={"authorization": f"Bearer {key}"}))
    _is_refused(await service.http.get(f"{ITEMS}?X-Api-Key={key}&api_key={key}"))


async def test_a_key_sees_its_own_business_only(service: Service, shop: Shop, other_shop: Shop) -> None:
    own, others = (
        await _get(service, shop.sandbox.api_key),
        await _get(service, other_shop.sandbox.api_key),
    )
    assert own.json()["data"]
    ids = [{item["id"] for item in answer.json()["data"]} for answer in (own, others)]
    assert not ids[0] & ids[1]


async def test_a_revoked_key_is_refused_at_once_by_every_process(service: Service, dsn: str, shop: Shop) -> None:
    key, sibling = await make_key(shop), await make_key(shop)
    async with running_service(dsn) as second:
        for running in (service, second):
            assert (await _get(running, key)).status_code == 200
        await _change(shop, key, "revoked_at = now()")
        for running in (service, second):
            _is_refused(await _get(running, key))
            assert (await _get(running, sibling)).status_code == 200


async def test_a_key_lives_until_its_expiry(service: Service, shop: Shop) -> None:
    key = await make_key(shop, expires_at=datetime.now(UTC) + timedelta(minutes=5))
    assert (await _get(service, key)).status_code == 200
    await _change(shop, key, "expires_at = now()")
    _is_refused(await _get(service, key))


async def test_the_keys_of_a_suspended_business_are_refused(service: Service) -> None:
    shop = await service.new_shop()
    assert (await _get(service, shop.sandbox.api_key)).status_code == 200
    await change_tenant(shop, suspended_at=datetime.now(UTC))
    answer = await _get(service, shop.sandbox.api_key)
    assert (answer.status_code, answer.json()["error"]) == (403, "business_suspended")
    await change_tenant(shop, suspended_at=None)
    assert (await _get(service, shop.sandbox.api_key)).status_code == 200


async def test_a_plan_without_the_open_api_keeps_its_till(service: Service) -> None:
    starter = await service.new_shop(plan="starter")
    assert (await _get(service, starter.sandbox.api_key)).status_code == 200


async def test_a_key_has_120_requests_a_minute_whatever_clients_have(dsn: str, shop: Shop) -> None:
    key = await make_key(shop)
    async with running_service(dsn, rate_limit=7) as first, running_service(dsn) as second:
        statuses: list[int] = []
        for _ in range(10):  # fifteen at once, so that none waits too long on a busy machine
            answers = await asyncio.gather(*(_get((first, second)[n % 2], key) for n in range(15)))
            statuses += [answer.status_code for answer in answers]
    assert (statuses.count(200), statuses.count(429)) == (120, 30)


async def test_every_key_and_client_has_a_minute_of_its_own(service: Service, shop: Shop) -> None:
    first, second = await make_key(shop, rate_limit=2), await make_key(shop, rate_limit=2)
    client = await make_client(shop, rate_limit=1)
    began = time.monotonic()
    for left in ("1", "0"):
        assert (await _get(service, first)).headers["x-ratelimit-remaining"] == left
    answer = await _get(service, first)
    assert_error(answer, 429, "rate_limit_exceeded")
    assert 59 - (time.monotonic() - began) <= int(answer.headers["retry-after"]) <= 60
    assert (await _get(service, second)).headers["x-ratelimit-remaining"] == "1"
    assert (await shop.get("/branches", token=await client.token())).status_code == 200


async def test_the_key_comes_before_the_rate_and_the_rate_before_the_query(service: Service, shop: Shop) -> None:
    key = await make_key(shop, rate_limit=1)
    answer = await service.http.get(f"{ITEMS}?page=0", headers={"x-api-key": key})
    assert_error(answer, 422, "validation_error")
    assert answer.headers["ratelimit-policy"] == '"default";q=1;w=60'
    assert answer.headers["ratelimit"] == f'"default";r=0;t={answer.headers["x-ratelimit-reset"]}'
    assert_error(await service.http.get(f"{ITEMS}?page=0", headers={"x-api-key": key}), 429, "rate_limit_exceeded")
    await _change(shop, key, "revoked_at = now()")
    _is_refused(await _get(service, key))


def _is_refused(answer: httpx2.Response) -> None:
    assert_error(answer, 401, "authentication_failed")
    assert answer.headers["www-authenticate"] == 'ApiKey realm="frontdesk"'
    assert "ratelimit" not in answer.headers


async def _get(service: Service, key: str) -> httpx2.Response:
    return await service.http.get(ITEMS, headers={"x-api-key": key})


async def _change(shop: Shop, key: str, assignment: str) -> None:
    statement = f"UPDATE api_keys SET {assignment} WHERE tenant_id = $1 AND key_hash = $2"
    await shop.sql(statement, hash_secret(key))
