"""A year's token means what the business approves now: every change acts on the next request, in every process."""

from collections.abc import AsyncIterator

import httpx2
import pytest

from frontdesk.auth.credentials import new_client_secret
from frontdesk.security.secrets import hash_secret
from tests.factories.applications import disconnect_installs
from tests.factories.changes import change_tenant, delete_rows
from tests.factories.credentials import ApiClient, make_client
from tests.support.http_errors import assert_error
from tests.support.service import Service, running_service
from tests.support.shop import OPEN_API, Shop


class Pair:
    """Two services on one database, asked the same thing one after the other."""

    def __init__(self, first: Service, second: Service) -> None:
        self._services = (first, second)

    async def answer(self, token: str, path: str = "/branches") -> tuple[int, str]:
        headers = {"authorization": f"Bearer {token}"}
        answers = [await service.http.get(OPEN_API + path, headers=headers) for service in self._services]
        outcomes = {(answer.status_code, answer.json().get("error", "")) for answer in answers}
        assert len(outcomes) == 1, outcomes
        return outcomes.pop()


PASSES = (200, "")
UNKNOWN = (401, "authentication_failed")


@pytest.fixture(scope="module")
async def pair(service: Service, dsn: str) -> AsyncIterator[Pair]:
    async with running_service(dsn) as second:
        yield Pair(service, second)


async def test_a_revoked_token_dies_and_its_siblings_live(pair: Pair, shop: Shop, service: Service) -> None:
    client = await make_client(shop)
    token, sibling = await client.token(), await client.token()
    assert await pair.answer(token) == PASSES
    body = {"client_id": client.name, "client_secret": client.secret, "token": token}
    assert (await service.http.post(f"{OPEN_API}/oauth/revoke", json=body)).status_code == 200
    assert await pair.answer(token) == UNKNOWN
    assert await pair.answer(sibling) == PASSES


async def test_a_scope_taken_away_is_gone_and_given_back_is_there(pair: Pair, shop: Shop) -> None:
    client = await make_client(shop, scopes=["branches:read", "items:read"])
    whole, part = await client.token(), await client.token("branches:read")
    assert await pair.answer(whole) == await pair.answer(part) == PASSES
    await client.change("scopes = $3", ["items:read"])
    assert await pair.answer(whole) == await pair.answer(part) == (403, "insufficient_scope")
    assert await pair.answer(whole, "/items") == PASSES
    assert await pair.answer(part, "/items") == (403, "insufficient_scope")
    await client.change("scopes = $3", ["*"])
    assert await pair.answer(whole) == await pair.answer(part) == PASSES
    assert await pair.answer(part, "/items") == (403, "insufficient_scope")


async def test_a_disabled_client_is_out_until_it_is_enabled(pair: Pair, shop: Shop) -> None:
    client = await make_client(shop)
    token = await client.token()
    await client.change("disabled_at = now()")
    assert await pair.answer(token) == UNKNOWN
    assert_error(await _ask(client), 401, "authentication_failed")
    await client.change("disabled_at = NULL")
    assert await pair.answer(token) == PASSES


async def test_a_deleted_client_is_out(pair: Pair, shop: Shop) -> None:
    client = await make_client(shop)
    token = await client.token()
    await delete_rows(shop, "api_clients", id=client.id)
    assert await pair.answer(token) == UNKNOWN
    assert_error(await _ask(client), 401, "authentication_failed")


async def test_a_disconnected_install_is_out(pair: Pair, service: Service) -> None:
    shop = await service.new_shop()
    install_id = (await shop.sql("SELECT id FROM installs WHERE tenant_id = $1"))[0]["id"]
    client, own = await make_client(shop, install_id=install_id), await make_client(shop)
    token, own_token = await client.token(), await own.token()
    assert await pair.answer(token) == PASSES
    await disconnect_installs(shop, install_id=install_id)
    assert await pair.answer(token) == UNKNOWN
    assert_error(await _ask(client), 401, "authentication_failed")
    assert await pair.answer(own_token) == PASSES


async def test_a_rotated_secret_takes_the_old_one_and_its_tokens_with_it(pair: Pair, shop: Shop) -> None:
    client = await make_client(shop)
    token, old_secret = await client.token(), client.secret
    await _rotate(client, grace="NULL")
    assert await pair.answer(token) == UNKNOWN
    assert_error(await _ask(client, old_secret), 401, "authentication_failed")
    assert await pair.answer(await client.token()) == PASSES


async def test_a_grace_keeps_the_old_secret_and_its_tokens_until_it_ends(pair: Pair, shop: Shop) -> None:
    client = await make_client(shop)
    token, old_secret = await client.token(), client.secret
    await _rotate(client, grace="now() + interval '24 hours'")
    assert await pair.answer(token) == PASSES
    late = (await _ask(client, old_secret)).json()["access_token"]
    new = await client.token()
    assert await pair.answer(late) == await pair.answer(new) == PASSES
    await client.change("previous_secret_until = now()")
    assert await pair.answer(token) == await pair.answer(late) == UNKNOWN
    assert_error(await _ask(client, old_secret), 401, "authentication_failed")
    assert await pair.answer(new) == PASSES


async def test_a_second_rotation_ends_the_grace_of_the_first(pair: Pair, shop: Shop) -> None:
    client = await make_client(shop)
    first, first_secret = await client.token(), client.secret
    await _rotate(client, grace="now() + interval '24 hours'")
    second = await client.token()
    await _rotate(client, grace="now() + interval '24 hours'")
    assert await pair.answer(first) == UNKNOWN
    assert_error(await _ask(client, first_secret), 401, "authentication_failed")
    assert await pair.answer(second) == PASSES


async def test_a_changed_plan_acts_in_both_directions(pair: Pair, service: Service) -> None:
    shop = await service.new_shop()
    token = await shop.token()
    assert await pair.answer(token) == PASSES
    await change_tenant(shop, plan="starter", open_api=False)
    assert await pair.answer(token) == (403, "feature_disabled")
    await change_tenant(shop, plan="professional", open_api=True)
    assert await pair.answer(token) == PASSES


async def _ask(client: ApiClient, secret: str | None = None) -> httpx2.Response:
    return await client.shop.ask_for_token(client_id=client.name, client_secret=secret or client.secret)


async def _rotate(client: ApiClient, *, grace: str) -> None:
    client.secret = new_client_secret()
    await client.change(
        f"""
        previous_secret_hash = secret_hash, previous_secret_until = {grace},
        secret_hash = $3, secret_version = secret_version + 1
        """,
        hash_secret(client.secret),
    )
