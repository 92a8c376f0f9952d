"""Changes of configuration at the same moment: none of them deadlocks, whichever rows they share."""

import asyncio
from collections.abc import AsyncIterator, Awaitable
from contextlib import AsyncExitStack
from functools import partial

import pytest

from frontdesk.applications.change_scopes import change_scopes
from frontdesk.applications.disconnect import disconnect
from frontdesk.applications.review import approve, suspend
from frontdesk.applications.rotate_secret import rotate_install_secret
from frontdesk.auth.clients import remove_client, rotate_secret
from frontdesk.postgres.pool import Connection
from frontdesk.problems import Problem
from frontdesk.webhooks.event_types import EventType
from tests.factories.credentials import make_client
from tests.factories.users import owner_of
from tests.races.programs import SCOPES, VAULT, VERSION, add_application, install_at
from tests.support.acts import subscribe
from tests.support.connections import pooled_connection
from tests.support.service import Service
from tests.support.shop import Shop

ROUNDS = 15
MANY = 8


@pytest.fixture
async def conns(dsn: str) -> AsyncIterator[list[Connection]]:
    async with AsyncExitStack() as stack:
        yield [Connection(await stack.enter_async_context(pooled_connection(dsn))) for _ in range(3)]


async def at_once(*acts: Awaitable[object]) -> list[BaseException]:
    """What went wrong."""
    return [one for one in await asyncio.gather(*acts, return_exceptions=True) if isinstance(one, BaseException)]


async def test_two_applications_are_suspended_and_approved_at_once(service: Service, conns: list[Connection]) -> None:
    """Installed at the same businesses, in opposite orders."""
    shops = [await service.new_shop() for _ in range(MANY)]
    one, other = await add_application(shops[0]), await add_application(shops[1])
    for application_id, order in ((one, shops), (other, shops[::-1])):
        for shop in order:
            await install_at(conns[0], await shop.tenant(), application_id, await owner_of(shop))
    await conns[0].execute("ANALYZE installs")  # so that the planner reads them in physical order
    for decide in (partial(suspend, actor=None, reason="Fraud"), partial(approve, actor=None, version=VERSION)):
        assert not await at_once(decide(conns[0], one), decide(conns[1], other))


async def test_an_install_beside_the_deletion_of_a_client_with_webhooks(
    service: Service, conns: list[Connection]
) -> None:
    shop = await service.new_shop()
    business, by = await shop.tenant(), await owner_of(shop)
    for _ in range(ROUNDS):
        application_id, client = await add_application(shop), await make_client(shop)
        await client.token()
        for n in range(3):
            url = f"https://hooks.example.com/{n}"
            await subscribe(conns[0], business, client.id, VAULT, url, list(EventType))
        wrong = await at_once(
            install_at(conns[0], business, application_id, by), remove_client(conns[1], shop.tenant_id, client.id)
        )
        assert not wrong


async def test_a_suspension_beside_changes_of_its_installs(service: Service, conns: list[Connection]) -> None:
    shops = [await service.new_shop() for _ in range(2)]
    tenant_id, business, by = shops[0].tenant_id, await shops[0].tenant(), await owner_of(shops[0])
    for _ in range(ROUNDS):
        application_id = await add_application(shops[0])
        await install_at(conns[0], await shops[1].tenant(), application_id, await owner_of(shops[1]))
        install_id = await install_at(conns[0], business, application_id, by)
        wrong = await at_once(
            suspend(conns[0], application_id, None, "Fraud"),
            change_scopes(conns[1], business, install_id, SCOPES[:1], VERSION),
            rotate_install_secret(conns[2], tenant_id, install_id, 1, keep_old=True),
        )
        assert not wrong
        wrong = await at_once(
            approve(conns[0], application_id, None, VERSION), disconnect(conns[1], tenant_id, install_id)
        )
        assert not wrong


async def test_the_deletion_of_a_client_beside_its_own_changes(shop: Shop, conns: list[Connection]) -> None:
    for _ in range(ROUNDS):
        client = await make_client(shop)
        token = await client.token()
        body = {"token": token, "client_id": client.name, "client_secret": client.secret}
        wrong = await at_once(
            remove_client(conns[0], shop.tenant_id, client.id),
            rotate_secret(conns[1], shop.tenant_id, client.id, 1, keep_old=False),
            shop.post("/oauth/revoke", body),
        )
        assert all(isinstance(one, Problem) for one in wrong), wrong  # the client is gone
