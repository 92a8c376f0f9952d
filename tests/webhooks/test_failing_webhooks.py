"""Workers end in all the ways there are, and every event still arrives."""

import asyncio
import signal
import subprocess
from pathlib import Path
from typing import Any

from frontdesk.postgres.pool import Connection
from frontdesk.values.ids import uuid7
from frontdesk.webhooks.delivery_queries import LEASE_SECONDS, claim_deliveries
from tests.factories.changes import ahead, change_rows
from tests.support.programs.commands import FRONTDESK, settings_environment
from tests.support.servers.receiver import Receiver, hang, receiving
from tests.support.service import SECRET_KEYS, Service
from tests.support.waiting import PATIENCE_SECONDS
from tests.webhooks.fixture import (
    emit_events,
    let_worker_take_a_turn,
    make_webhook,
    running_worker,
    wait_for_attempts,
    wait_for_state,
)


async def slow(_receiver: Receiver, _: Any, writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(0.3)
    writer.write(b"HTTP/1.1 204 No Content\r\n\r\n")


async def test_a_stopping_worker_waits_for_webhook_deliveries_in_flight(service: Service) -> None:
    async with receiving(slow) as receiver:
        async with running_worker(service.dsn, drain=PATIENCE_SECONDS):
            hook = await make_webhook(await service.new_shop(), receiver.url)
            await emit_events(hook, 3)
            await receiver.wait_for(3)
        assert [(one["state"], one["attempts"]) for one in await hook.deliveries()] == [("delivered", 1)] * 3


async def test_deliveries_of_a_stopping_worker_are_released_to_others(service: Service) -> None:
    async with receiving(hang) as receiver:
        async with running_worker(service.dsn, drain=0.2):
            hook = await make_webhook(await service.new_shop(), receiver.url)
            await emit_events(hook, 3)
            await receiver.wait_for(3)
        assert {(one["state"], one["attempts"], one["lease"]) for one in await hook.deliveries()} == {("due", 0, None)}
        receiver.behave = slow
        async with running_worker(service.dsn):
            await receiver.wait_for(6)
            await wait_for_state(hook, count=3)


async def test_deliveries_of_a_killed_worker_wait_for_the_end_of_the_lease(service: Service, conn: Connection) -> None:
    async with receiving() as receiver:
        hook = await make_webhook(await service.new_shop(), receiver.url)
        await emit_events(hook, 2)
        before = await conn.fetchval("SELECT now()")
        for count in (2, 0):
            claimed = await claim_deliveries(conn, uuid7(), limit=10_000, max_in_flight=16, skipped=[])
            assert len([one for one in claimed if one.webhook_id == hook.id]) == count
        leased = await hook.shop.sql(
            "SELECT FROM webhook_deliveries WHERE tenant_id = $1 "
            f"AND leased_until - interval '{LEASE_SECONDS} seconds' BETWEEN $2 AND now()",
            before,
        )
        assert len(leased) == 2
        await change_rows(hook.shop, "webhook_deliveries", leased_until=ahead(hours=1))  # however slow the machine is
        async with running_worker(service.dsn) as worker:
            await let_worker_take_a_turn(service)
            assert receiver.received == []
            await conn.execute("UPDATE webhook_deliveries SET leased_until = now() WHERE lease IS NOT NULL")
            worker.wake()
            await wait_for_state(hook, count=2)


async def test_a_worker_that_lost_its_lease_does_not_change_the_delivery(
    service: Service,
) -> None:
    is_lost = asyncio.Event()

    async def answer_then(_receiver: Receiver, _: Any, writer: asyncio.StreamWriter) -> None:
        await is_lost.wait()
        writer.write(b"HTTP/1.1 204 No Content\r\n\r\n")

    async with receiving(answer_then) as receiver, running_worker(service.dsn):
        hook = await make_webhook(await service.new_shop(), receiver.url)
        await emit_events(hook)
        await receiver.wait_for(1)
        await change_rows(hook.shop, "webhook_deliveries", lease=uuid7(), leased_until=ahead(hours=1))
        is_lost.set()
        (attempt,) = await wait_for_attempts(hook)
    (delivery,) = await hook.deliveries()
    assert attempt["status"] == 204
    assert (delivery["state"], delivery["attempts"]) == ("due", 1)
    assert delivery["lease"] is not None


async def test_the_worker_command_delivers_and_ends_cleanly_with_what_is_out(service: Service, tmp_path: Path) -> None:
    shop = await service.new_shop()
    environment = settings_environment(
        data_dir=tmp_path, database_url=service.dsn, webhook_allow_private="on", secret_key=SECRET_KEYS[0]
    )
    async with receiving(slow) as receiver:
        hook = await make_webhook(shop, receiver.url)
        process = await asyncio.create_subprocess_exec(
            FRONTDESK, "worker", env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        try:
            await emit_events(hook, 2)
            await receiver.wait_for(2)
            process.send_signal(signal.SIGTERM)
            _, errors = await asyncio.wait_for(process.communicate(), PATIENCE_SECONDS)
        finally:
            if process.returncode is None:
                process.kill()
    assert process.returncode == 0
    # Other tests leave secrets of other keys in this database, which a start counts and names.
    lines = [line for line in errors.decode().splitlines() if "cannot be decrypted" not in line]
    assert lines == ["delivering webhooks; press Ctrl-C to stop"]
    assert [(one["state"], one["attempts"]) for one in await hook.deliveries()] == [("delivered", 1)] * 2
