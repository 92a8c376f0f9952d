"""What stops a webhook stops it at once, and loses nothing that could still be wanted."""

import asyncio

import pytest

from tests.factories.applications import make_install
from tests.support.receiver import receiving
from tests.support.service import Service
from tests.webhooks.fixture import (
    WebhookFixture,
    emit_events,
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
async def test_nothing_is_sent_while_it_is_stopped_and_all_of_it_afterwards(service: Service, stop: str) -> None:
    statement, on, off = STOPS[stop]
    shop = await service.new_shop()
    async with receiving() as receiver, running_worker(service.dsn) as worker:
        hook = await make_webhook(shop, receiver.url, install_id=await make_install(shop))
        await shop.sql(statement.format(on))
        await emit_events(hook, 3)
        await asyncio.sleep(1.3)
        assert receiver.received == []
        await shop.sql(statement.format(off))
        worker.wake()
        await wait_for_state(hook, many=3)
    assert len(set(receiver.ids())) == 3


@pytest.mark.parametrize("stop", STOPS)
async def test_it_is_looked_at_again_right_before_sending(service: Service, stop: str) -> None:
    """While the name is being looked up the webhook has long been claimed, but nothing has been sent."""
    statement, on, _ = STOPS[stop]
    shop = await service.new_shop()
    hook: WebhookFixture

    async def resolve(_host: str) -> list[str]:
        await shop.sql(statement.format(on))
        await asyncio.sleep(0.1)
        return ["127.0.0.1"]

    async with receiving() as receiver, running_worker(service.dsn, resolve=resolve):
        hook = await make_webhook(
            shop, f"http://somewhere.example:{receiver.port}/", install_id=await make_install(shop)
        )
        await emit_events(hook)
        await asyncio.sleep(1.5)
    assert receiver.received == []
    (delivery,) = await hook.deliveries()
    assert (delivery["state"], delivery["attempts"], delivery["lease"]) == ("due", 0, None)


@pytest.mark.parametrize("table", ["webhooks", "api_clients"])
async def test_deleting_takes_the_deliveries_away_even_between_claim_and_sending(service: Service, table: str) -> None:
    shop = await service.new_shop()

    async def resolve(_host: str) -> list[str]:
        await shop.sql(f"DELETE FROM {table} WHERE tenant_id = $1")
        await asyncio.sleep(0.1)
        return ["127.0.0.1"]

    async with receiving() as receiver, running_worker(service.dsn, resolve=resolve):
        hook = await make_webhook(shop, f"http://somewhere.example:{receiver.port}/")
        await emit_events(hook)
        await asyncio.sleep(1.0)
        assert receiver.received == []
        other = await make_webhook(await service.new_shop(), receiver.url)
        await emit_events(other)
        await wait_for_state(other)
    assert await hook.deliveries() == []


async def test_deleting_while_it_is_out_hurts_nobody(service: Service) -> None:
    shop = await service.new_shop()
    async with receiving() as receiver, running_worker(service.dsn):
        hook, other = await make_webhook(shop, receiver.url), await make_webhook(shop, receiver.url)
        plain = receiver.behave

        async def delete_meanwhile(*given: object) -> None:
            receiver.behave = plain
            await shop.sql("DELETE FROM webhooks WHERE tenant_id = $1 AND id = $2", hook.id)
            await plain(*given)  # type: ignore[arg-type]

        receiver.behave = delete_meanwhile
        await emit_events(hook)
        await receiver.wait_for(1)
        await emit_events(other)
        await wait_for_state(other)
    assert await hook.attempts() == []
    assert len(await wait_for_attempts(other)) == 1
