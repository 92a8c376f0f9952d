"""Webhooks of a sandbox that are lost, doubled, late and out of order on purpose."""

from typing import Any

import pytest

from tests.support.pagination import json_exact
from tests.support.servers.receiver import receiving, respond_with
from tests.support.service import Service
from tests.support.shop import Shop
from tests.support.waiting import eventually
from tests.webhooks.fixture import emit_events, make_webhook, running_worker, wait_for_state


async def add(shop: Shop, **fault: Any) -> None:
    json_exact(await shop.post("/sandbox/faults", fault), 201)


async def test_a_lost_one_counts_as_delivered_and_never_arrives(service: Service, own_shop: Shop) -> None:
    async with receiving(respond_with(200)) as receiver:
        hook = await make_webhook(own_shop, receiver.url)
        await add(own_shop, kind="webhook_lost")
        await emit_events(hook, 2)
        async with running_worker(service.dsn):
            await wait_for_state(hook, count=2)
        assert len(receiver.received) == 1


async def test_a_doubled_one_arrives_twice_under_one_id(service: Service, own_shop: Shop) -> None:
    async with receiving(respond_with(200)) as receiver, running_worker(service.dsn):
        hook = await make_webhook(own_shop, receiver.url)
        await add(own_shop, kind="webhook_doubled")
        await emit_events(hook)
        await wait_for_state(hook)
        assert len(receiver.received) == 2
        assert len({received.id for received in receiver.received}) == 1


@pytest.mark.parametrize("kind", ["webhook_late", "webhook_out_of_order"])
async def test_a_late_one_comes_after_those_behind_it(service: Service, own_shop: Shop, kind: str) -> None:
    async with receiving(respond_with(200)) as receiver, running_worker(service.dsn):
        hook = await make_webhook(own_shop, receiver.url)
        await add(own_shop, kind=kind, seconds=3600)
        await emit_events(hook)

        async def is_held() -> bool:
            return [one["attempts"] for one in await hook.deliveries()] == [1]

        await eventually(is_held)
        await emit_events(hook)
        await wait_for_state(hook)
        json_exact(await own_shop.post("/sandbox/clock", {"advance": "PT2H"}))
        await wait_for_state(hook, count=2)
        assert [received.event["sequence"] for received in receiver.received] == sorted(
            (received.event["sequence"] for received in receiver.received), reverse=True, key=str
        )


async def test_a_fault_of_one_type_of_event_befalls_no_other(service: Service, own_shop: Shop) -> None:
    async with receiving(respond_with(200)) as receiver, running_worker(service.dsn):
        hook = await make_webhook(own_shop, receiver.url)
        await add(own_shop, kind="webhook_lost", route="order.created")
        await emit_events(hook)
        await wait_for_state(hook)
        assert len(receiver.received) == 1
