"""Events leave signed and at once, and what came of each attempt is kept."""

import asyncio
from typing import Any

import pytest
from standardwebhooks import Webhook

from tests.support.servers.receiver import Receiver, hang, receiving, respond_with, respond_with_bytes
from tests.support.service import Service
from tests.webhooks.fixture import emit_events, make_webhook, running_worker, wait_for_attempts, wait_for_state


async def test_a_webhook_delivery_is_signed_as_standard_webhooks_says(service: Service) -> None:
    shop = await service.new_shop()
    async with receiving() as receiver, running_worker(service.dsn):
        hook = await make_webhook(shop, receiver.url)
        await emit_events(hook)
        (received,) = await receiver.wait_for(1)
        await wait_for_state(hook)
    assert received.head == "POST /hook?from=frontdesk HTTP/1.1"
    assert received.headers["content-type"] == "application/json"
    assert received.headers["user-agent"].startswith("Frontdesk")
    assert received.headers["host"] == f"127.0.0.1:{receiver.port}"
    verified = Webhook(hook.secret).verify(received.body, received.headers)
    (event,) = await shop.sql("SELECT * FROM events WHERE tenant_id = $1")
    assert verified == {
        "id": str(event["id"]),
        "type": "webhook.ping",
        "timestamp": f"{event['created_at'].replace(tzinfo=None).isoformat(timespec='microseconds')}Z",
        "api_version": "v1",
        "tenant_id": str(shop.tenant_id),
        "sequence": 1,
        "data": {"webhook_id": str(hook.id)},
    }
    assert received.id == verified["id"]


async def test_the_signature_of_a_changed_webhook_body_is_invalid(service: Service) -> None:
    async with receiving() as receiver, running_worker(service.dsn):
        hook = await make_webhook(await service.new_shop(), receiver.url)
        await emit_events(hook)
        (received,) = await receiver.wait_for(1)
    with pytest.raises(Exception, match="No matching signature"):
        Webhook(hook.secret).verify(received.body.replace(b"v1", b"v2"), received.headers)


async def test_the_result_of_a_delivery_attempt_is_stored(service: Service) -> None:
    async with receiving(respond_with(202, b"\x00taken\xff")) as receiver, running_worker(service.dsn):
        hook = await make_webhook(await service.new_shop(), receiver.url)
        await emit_events(hook)
        (delivery,) = await wait_for_state(hook)
    (attempt,) = await hook.attempts()
    assert delivery["attempts"] == 1
    assert (delivery["lease"], delivery["leased_until"]) == (None, None)
    assert (attempt["status"], attempt["response_body"], attempt["error"]) == (202, "\ufffdtaken\ufffd", None)
    assert 0 <= attempt["milliseconds"] < 15_000


@pytest.mark.parametrize("status", [300, 301, 302, 307, 308, 400, 404, 429, 500, 503])
async def test_only_2xx_counts_and_redirects_are_not_followed(service: Service, status: int) -> None:
    async with receiving() as elsewhere, receiving() as receiver, running_worker(service.dsn):
        receiver.behave = respond_with(status, b"no", location=elsewhere.url)
        hook = await make_webhook(await service.new_shop(), receiver.url)
        await emit_events(hook)
        (attempt,) = await wait_for_attempts(hook)
    (delivery,) = await hook.deliveries()
    assert (attempt["status"], attempt["response_body"]) == (status, "no")
    assert (delivery["state"], delivery["attempts"]) == ("due", 1)
    assert elsewhere.received == []


async def test_a_rotated_secret_signs_beside_the_new_one_for_its_time(service: Service) -> None:
    async with receiving() as receiver, running_worker(service.dsn):
        hook = await make_webhook(await service.new_shop(), receiver.url)
        other = await make_webhook(hook.shop, receiver.url)
        await hook.change(
            "previous_secret = secret, previous_secret_until = now() + interval '24 hours', secret = $3",
            (await other.row())["secret"],
        )
        await emit_events(hook)
        await receiver.wait_for(1)
        await hook.change("previous_secret_until = now()")
        await emit_events(hook)
        within, after = await receiver.wait_for(2)
    for secret in (hook.secret, other.secret):
        Webhook(secret).verify(within.body, within.headers)
    Webhook(other.secret).verify(after.body, after.headers)
    with pytest.raises(Exception, match="No matching signature"):
        Webhook(hook.secret).verify(after.body, after.headers)


async def test_contacts_are_sent_only_to_receivers_that_may_read_customers(service: Service) -> None:
    order = {
        "id": "x",
        "customer": {"id": "c", "first_name": "Noura", "email": "n@example.com", "phone": "+966500000000"},
    }
    shop = await service.new_shop()
    async with receiving() as one, receiving() as other, running_worker(service.dsn):
        hooks = [
            await make_webhook(shop, one.url, scopes=["orders:read", "customers:read"]),
            await make_webhook(shop, other.url, scopes=["orders:read"]),
        ]
        await emit_events(hooks, kind="order.created", data={"order": order})
        (full,) = await one.wait_for(1)
        (bare,) = await other.wait_for(1)
    assert full.event["data"] == {"order": order}
    assert bare.event["data"] == {"order": {"id": "x", "customer": {"id": "c", "first_name": "Noura"}}}


async def test_an_event_whose_scope_was_taken_back_is_not_sent_and_says_so(service: Service) -> None:
    async with receiving() as receiver, running_worker(service.dsn):
        hook = await make_webhook(await service.new_shop(), receiver.url, scopes=["orders:read"])
        await emit_events(hook, kind="customer.created", data={"customer": {}})
        await wait_for_state(hook, "dead")
    (attempt,) = await hook.attempts()
    assert attempt["error"] == "not sent: the client no longer has customers:read"
    assert receiver.received == []


async def test_connections_are_kept_and_one_that_was_closed_meanwhile_costs_no_attempt(service: Service) -> None:
    async def close_after(receiver: Receiver, _: Any, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok")
        if len(receiver.received) == 3:
            await writer.drain()
            writer.close()

    async with receiving(close_after) as receiver, running_worker(service.dsn):
        hook = await make_webhook(await service.new_shop(), receiver.url)
        for number in range(1, 6):
            await emit_events(hook)
            await wait_for_state(hook, count=number)
    assert [one["status"] for one in await hook.attempts()] == [200] * 5
    assert receiver.connections == 2


@pytest.mark.parametrize(
    ("raw", "status", "answer_kept"),
    [
        (b"HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n" + b"x" * 5000, 200, "x" * 1024),
        (b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", 200, "hello"),
        (b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok", 200, "ok"),
        (b"HTTP/1.1 204 No Content\r\n\r\n", 204, ""),
        (b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nslow", 200, "slow"),
        (b"SSH-2.0-OpenSSH_9.2\r\n", None, None),
        (b"HTTP/1.1 200 OK\r\n" + b"x-filler: y\r\n" * 10000, None, None),
    ],
    ids=["long", "chunked", "continue", "empty", "slow body", "not HTTP", "endless head"],
)
async def test_the_first_kilobyte_of_a_webhook_response_is_stored(
    service: Service, raw: bytes, status: int | None, answer_kept: str | None
) -> None:
    async with receiving(respond_with_bytes(raw)) as receiver, running_worker(service.dsn):
        hook = await make_webhook(await service.new_shop(), receiver.url)
        await emit_events(hook)
        (attempt,) = await wait_for_attempts(hook)
    assert (attempt["status"], attempt["response_body"]) == (status, answer_kept)
    assert (attempt["error"] is None) == (status is not None)
    assert attempt["milliseconds"] < 15_000  # no response is waited for to its end


async def test_an_endless_webhook_response_is_cut_off(service: Service) -> None:
    written = 0

    async def pour(_receiver: Receiver, _: Any, writer: asyncio.StreamWriter) -> None:
        nonlocal written
        writer.write(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n")
        while True:
            writer.write(b"10000\r\n" + b"z" * 0x10000 + b"\r\n")
            await writer.drain()
            written += 0x10000

    async with receiving(pour) as receiver, running_worker(service.dsn):
        hook = await make_webhook(await service.new_shop(), receiver.url)
        await emit_events(hook)
        await wait_for_state(hook)
    (attempt,) = await hook.attempts()
    assert (attempt["status"], attempt["response_body"]) == (200, "z" * 1024)
    assert written < 20_000_000


async def test_a_webhook_delivery_times_out_after_fifteen_seconds(service: Service) -> None:
    async def drip(receiver: Receiver, _: Any, writer: asyncio.StreamWriter) -> None:
        for byte in b"HTTP/1.1 200 OK\r\nx: y\r\nx: y\r\n":
            writer.write(bytes([byte]))
            await writer.drain()
            await asyncio.sleep(1)

    shop = await service.new_shop()
    async with receiving(hang) as silent, receiving(drip) as slow, running_worker(service.dsn):
        hooks = [await make_webhook(shop, one.url) for one in (silent, slow)]
        await emit_events(hooks)
        for hook in hooks:
            (attempt,) = await wait_for_attempts(hook)
            assert (attempt["status"], attempt["error"]) == (None, "no answer within 15 seconds")
            assert attempt["milliseconds"] >= 14_900
