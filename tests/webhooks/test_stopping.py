"""What stops a webhook stops it at once, and loses nothing that could still be wanted."""

import asyncio
from functools import partial

import pytest

from tests.factories.applications import make_install
from tests.factories.changes import delete_rows
from tests.support.clock import Clock
from tests.support.servers.receiver import receiving
from tests.support.service import Service
from tests.support.waiting import eventually
from tests.webhooks.fixture import (
    WebhookFixture,
    emit_events,
    let_worker_take_a_turn,
    make_webhook,
    running_worker,
    wait_for_attempts,
    wait_for_state,
)

STOPS = {
    "webhook switched off": ("UPDATE webhooks SET disabled_at = {} WHERE tenant_id = $1", "now()", "NULL"),
    "client disabled": ("UPDATE api_clients SET disabled_at = {} WHERE tenant_id = $1", "now()", "NULL"),
    "application disconnected": (
        """
        WITH i AS (UPDATE installs SET disconnected_at = {} WHERE tenant_id = $1 RETURNING id, disconnected_at)
        UPDATE api_clients c SET disconnected_at = i.disconnected_at FROM i
        WHERE c.tenant_id = $1 AND c.install_id = i.id
        """,
        "now()",
        "NULL",
    ),
    "business suspended": ("UPDATE tenants SET suspended_at = {} WHERE id = $1", "now()", "NULL"),
    "plan without the Open API": (
        "UPDATE tenants SET (plan, open_api) = ({}) WHERE id = $1",
        "'starter', false",
        "'professional', true",
    ),
}


@pytest.mark.parametrize("stop", STOPS)
async def test_a_disabled_webhook_gets_its_deliveries_when_enabled(service: Service, stop: str) -> None:
    statement, on, off = STOPS[stop]
    shop = await service.new_shop()
    async with receiving() as receiver, running_worker(service.dsn) as worker:
        hook = await make_webhook(shop, receiver.url, install_id=await make_install(shop))
        await shop.sql(statement.format(on))
        await emit_events(hook, 3)
        await let_worker_take_a_turn(service)
        assert receiver.received == []
        assert {one["lease"] for one in await hook.deliveries()} == {None}
        await shop.sql(statement.format(off))
        worker.wake()
        await wait_for_state(hook, count=3)
    assert len(set(receiver.ids())) == 3


async def is_released(hook: WebhookFixture) -> bool:
    return all(one["lease"] is None for one in await hook.deliveries())


@pytest.mark.parametrize("stop", STOPS)
async def test_a_webhook_is_checked_again_before_sending(service: Service, stop: str) -> None:
    """While the name is being looked up the webhook has long been claimed, but nothing has been sent."""
    statement, on, _ = STOPS[stop]
    shop = await service.new_shop()
    clock, looked_up, name = Clock(), asyncio.Event(), f"{shop.tenant_id}.example"

    async def resolve(host: str) -> list[str]:
        if host == name:  # the worker also sends what other tests left
            await shop.sql(statement.format(on))
            clock.forward(1)
            looked_up.set()
        return ["127.0.0.1"]

    async with receiving() as receiver, running_worker(service.dsn, resolve=resolve, clock=clock):
        hook = await make_webhook(shop, f"http://{name}:{receiver.port}/", install_id=await make_install(shop))
        await emit_events(hook)
        await looked_up.wait()
        await eventually(partial(is_released, hook))
    assert receiver.received == []
    (delivery,) = await hook.deliveries()
    assert (delivery["state"], delivery["attempts"], delivery["lease"]) == ("due", 0, None)


@pytest.mark.parametrize("table", ["webhooks", "api_clients"])
async def test_deleting_a_webhook_deletes_claimed_deliveries(service: Service, table: str) -> None:
    shop, clock, looked_up = await service.new_shop(), Clock(), asyncio.Event()
    name = f"{shop.tenant_id}.example"

    async def resolve(host: str) -> list[str]:
        if host == name:
            await delete_rows(shop, table)
            clock.forward(1)
            looked_up.set()
        return ["127.0.0.1"]

    async with receiving() as receiver, running_worker(service.dsn, resolve=resolve, clock=clock):
        hook = await make_webhook(shop, f"http://{name}:{receiver.port}/")
        await emit_events(hook)
        await looked_up.wait()
        await let_worker_take_a_turn(service)
    assert receiver.received == []
    assert await hook.deliveries() == []


async def test_deleting_a_webhook_during_a_delivery_is_no_error(service: Service) -> None:
    shop = await service.new_shop()
    async with receiving() as receiver, running_worker(service.dsn):
        hook, other = await make_webhook(shop, receiver.url), await make_webhook(shop, receiver.url)
        plain = receiver.behave

        async def delete_meanwhile(*given: object) -> None:
            receiver.behave = plain
            await delete_rows(shop, "webhooks", id=hook.id)
            await plain(*given)  # type: ignore[arg-type]

        receiver.behave = delete_meanwhile
        await emit_events(hook)
        await receiver.wait_for(1)
        await emit_events(other)
        await wait_for_state(other)
    assert await hook.attempts() == []
    assert len(await wait_for_attempts(other)) == 1
