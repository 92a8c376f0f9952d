"""Who is let in by a request that was taken from their minute in advance is who may come in now, all the same."""

import asyncio
from collections.abc import AsyncIterator
from uuid import UUID

import pytest

from frontdesk.auth import authenticate_queries as guard_queries
from frontdesk.auth.rate_limit import PrefetchedQuota
from frontdesk.http import authentication as admission
from tests.factories.credentials import ApiClient, make_client
from tests.support.pagination import Document
from tests.support.salon import Salon, books, day, line, method_of, open_salon, start
from tests.support.service import Service, running_service
from tests.support.shop import Shop

_TAKEN = 50


class Eager(PrefetchedQuota):
    """Takes many at once, whatever the pace; how often it had some left is counted."""

    used = 0

    def take(self) -> int:
        taken = super().take()
        Eager.used += taken == 0
        return _TAKEN if taken and self.rate is not None else taken

    def grant(self, many: int, rate: object) -> None:
        self._asked_at = 1e12  # what is taken here never grows old
        super().grant(many, rate)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
async def eager(dsn: str, other_shop: Shop) -> AsyncIterator[Service]:
    with pytest.MonkeyPatch.context() as patch:
        for module in (guard_queries, admission):
            patch.setattr(module, "PrefetchedQuota", Eager)
        async with running_service(dsn) as service:
            yield service


@pytest.fixture
async def salon(eager: Service) -> Salon:
    return await open_salon(await eager.new_shop())


async def _let_in(salon: Salon, token: str, path: str = "/orders") -> None:
    """Until a request was let in that had been taken in advance."""
    before = Eager.used
    for _ in range(4):
        answer = await salon.shop.get(path, token=token)
        assert answer.status_code == 200, answer.text
    assert Eager.used > before


async def _refused(salon: Salon, token: str, status: int, path: str = "/orders") -> None:
    for _ in range(3):
        answer = await salon.shop.get(path, token=token)
        assert answer.status_code == status, answer.text


async def _client(salon: Salon) -> tuple[ApiClient, str]:
    client = await make_client(salon.shop, rate_limit=1_000_000)
    return client, await client.token()


CHANGES = {
    "token revoked": ("UPDATE access_tokens SET revoked_at = now() WHERE tenant_id = $1 AND client_id = $2", 401),
    "token expired": ("UPDATE access_tokens SET expires_at = now() WHERE tenant_id = $1 AND client_id = $2", 401),
    "token deleted": ("DELETE FROM access_tokens WHERE tenant_id = $1 AND client_id = $2", 401),
    "client disabled": ("UPDATE api_clients SET disabled_at = now() WHERE tenant_id = $1 AND id = $2", 401),
    "client deleted": ("DELETE FROM api_clients WHERE tenant_id = $1 AND id = $2", 401),
    "secret rotated": (
        "UPDATE api_clients SET secret_version = secret_version + 1 WHERE tenant_id = $1 AND id = $2",
        401,
    ),
    "scope taken": ("UPDATE api_clients SET scopes = '{items:read}' WHERE tenant_id = $1 AND id = $2", 403),
    "limit lowered": ("UPDATE api_clients SET rate_limit = 1 WHERE tenant_id = $1 AND id = $2", 429),
    "plan changed": ("UPDATE tenants SET plan = 'starter' WHERE id = $1 AND $2::uuid IS NOT NULL", 403),
    "business suspended": ("UPDATE tenants SET suspended_at = now() WHERE id = $1 AND $2::uuid IS NOT NULL", 403),
}


@pytest.mark.parametrize("change", CHANGES)
async def test_whatever_changes_about_a_caller_acts_on_the_next_request(salon: Salon, change: str) -> None:
    client, token = await _client(salon)
    await _let_in(salon, token)
    statement, status = CHANGES[change]
    await salon.shop.sql(statement, client.id)
    await _refused(salon, token, status)


async def test_a_token_ends_when_its_time_is_over_and_nothing_changes(salon: Salon) -> None:
    client, token = await _client(salon)
    await _let_in(salon, token)
    await salon.shop.sql(
        "UPDATE access_tokens SET expires_at = now() + interval '1.5 seconds' WHERE tenant_id = $1 AND client_id = $2",
        client.id,
    )
    await _let_in(salon, token)
    await asyncio.sleep(1.6)
    await _refused(salon, token, 401)


async def test_a_secret_that_was_left_good_for_a_while_ends_with_it(salon: Salon) -> None:
    client, token = await _client(salon)
    await salon.shop.sql(
        """
        UPDATE api_clients
        SET secret_version = secret_version + 1, previous_secret_until = now() + interval '1.5 seconds'
        WHERE tenant_id = $1 AND id = $2
        """,
        client.id,
    )
    await _let_in(salon, token)
    await asyncio.sleep(1.6)
    await _refused(salon, token, 401)


@pytest.mark.parametrize("change", ["revoked_at = now()", "expires_at = now()"])
async def test_a_key_that_ends_is_refused_by_the_next_request(salon: Salon, change: str) -> None:
    await salon.shop.sql("UPDATE api_keys SET rate_limit = 1000000 WHERE tenant_id = $1")
    before = Eager.used
    assert [(await salon.shop.key_call("GET", "/items")).status_code for _ in range(4)] == [200] * 4
    assert Eager.used > before
    await salon.shop.sql(f"UPDATE api_keys SET {change} WHERE tenant_id = $1")
    assert [(await salon.shop.key_call("GET", "/items")).status_code for _ in range(2)] == [401] * 2


async def test_a_business_that_moves_is_read_in_its_new_zone(salon: Salon) -> None:
    _, token = await _client(salon)
    cut = await salon.add_service()
    await salon.add_provider(cut)
    path = f"/orders/{(await salon.place(line(cut), start=start(day(3), '10:00')))['id']}"
    await _let_in(salon, token, path)
    await salon.shop.sql("UPDATE tenants SET timezone = 'Asia/Dubai' WHERE id = $1")
    answer = await salon.shop.get(path, token=token)
    assert answer.json()["data"]["start"].endswith("+04:00")


async def test_an_order_is_written_for_whoever_may_still_write_it_and_for_nobody_else(salon: Salon) -> None:
    client, token = await _client(salon)
    cut = await salon.add_service()
    provider, method = await salon.add_provider(cut), await method_of(salon.shop)

    def order(at: str) -> Document:
        payment = {"amount": 1, "payment_method_id": method}
        return salon.order(line(cut, staff_id=provider), start=start(day(3), at), payment=payment)

    before = Eager.used
    placed = [await salon.shop.post("/orders", order(at), token=token) for at in ("09:00", "09:30", "10:00", "10:30")]
    assert [answer.status_code for answer in placed] == [201] * 4
    assert Eager.used > before
    numbers = [int(answer.json()["data"]["order_number"]) for answer in placed]
    assert numbers == list(range(numbers[0], numbers[0] + 4))
    taken = await salon.shop.post("/orders", order("10:30"), token=token)
    assert (taken.status_code, taken.json()["error"]) == (422, "timeslot_unavailable")
    kept = await books(salon.shop)
    await salon.shop.sql(
        "UPDATE api_clients SET scopes = '{orders:read}' WHERE tenant_id = $1 AND id = $2", UUID(str(client.id))
    )
    assert (await salon.shop.post("/orders", order("11:00"), token=token)).status_code == 403
    assert await books(salon.shop) == kept


async def test_what_is_not_there_is_not_found(salon: Salon) -> None:
    _, token = await _client(salon)
    await _let_in(salon, token)
    answer = await salon.shop.get("/orders/00000000-0000-7000-8000-000000000000", token=token)
    assert (answer.status_code, answer.json()["error"]) == (404, "not_found")
