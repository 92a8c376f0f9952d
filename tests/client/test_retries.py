"""The client retries where that is safe, within its policy, and never writes anything twice."""

import asyncio
import time
from decimal import Decimal
from typing import Any

import pytest

from frontdesk_client import ApiError, ConnectionFailed, InvalidResponse, RetryPolicy
from tests.client.any_client import KINDS, client_at, client_of
from tests.factories.credentials import make_client
from tests.support.flaky import flaky_proxy
from tests.support.programs.commands import free_port
from tests.support.servers.receiver import Behave, Received, Receiver, receiving, respond_with, respond_with_bytes
from tests.support.service import Service
from tests.support.shop import Shop

pytestmark = [pytest.mark.parametrize("kind", KINDS)]

PAGE = respond_with(
    200,
    b'{"data":[],"links":{"first":"","last":"","prev":null,"next":null},'
    b'"meta":{"current_page":1,"last_page":1,"per_page":100,"total":0}}',
)
CUT = respond_with_bytes(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{")


def error(status: int, code: str, **headers: str) -> Behave:
    return respond_with(status, b'{"error":"%s","message":"Not now."}' % code.encode(), **headers)


def in_turn(*answers: Behave) -> Behave:
    """Each answer once, then the last one repeatedly. CUT also closes the connection."""

    async def behave(receiver: Receiver, received: Received, writer: asyncio.StreamWriter) -> None:
        chosen = answers[min(len(receiver.received), len(answers)) - 1]
        await chosen(receiver, received, writer)
        if chosen is CUT:
            writer.close()

    return behave


async def test_every_write_happens_once_over_an_unreliable_connection(service: Service, kind: str) -> None:
    shop = await service.new_shop()
    names = [f"Guest {number}" for number in range(40)]
    async with (
        flaky_proxy(service.origin, seed=5, share=0.15) as proxy,
        client_of(shop, kind, origin=proxy.origin, retry_policy=RetryPolicy(12, initial_delay=0.005)) as client,
    ):
        created = [await client.call("customers.create", first_name=name) for name in names]
    assert min(proxy.lost_requests, proxy.lost_answers) >= 3
    rows = await shop.sql("SELECT id, first_name FROM customers WHERE tenant_id = $1 AND first_name LIKE 'Guest %'")
    assert {row["id"]: row["first_name"] for row in rows} == {record.id: record.first_name for record in created}
    assert sorted(names) == sorted(row["first_name"] for row in rows)


async def test_two_clients_with_the_same_idempotency_key_create_one_record(service: Service, kind: str) -> None:
    shop = await service.new_shop()
    created = []
    for _ in range(2):
        async with client_of(shop, kind) as client:
            created.append(await client.call("customers.create", first_name="Noura", idempotency_key="import-1"))
    assert created[0] == created[1]


@pytest.mark.parametrize(
    "failure",
    [
        CUT,
        error(408, "request_timeout"),
        error(429, "rate_limit_exceeded", retry_after="0"),
        error(409, "idempotency_key_in_use", retry_after="0"),
        error(500, "internal_error"),
        error(502, "availability_check_failed"),
        error(503, "service_unavailable"),
    ],
    ids=["cut", "408", "429", "409", "500", "502", "503"],
)
async def test_a_retry_repeats_the_same_key_and_body(kind: str, failure: Behave) -> None:
    created_response = respond_with(
        201,
        b'{"data":{"id":"01920000-0000-7000-8000-000000000001","version":1,"name":{"en":"Cash"},"slug":"cash",'
        b'"type":{"id":"01920000-0000-7000-8000-000000000002","name":"Cash","slug":"cash"},"status":true,"sort_order":1,'
        b'"created_at":"2026-01-01T00:00:00.000000Z","updated_at":"2026-01-01T00:00:00.000000Z"}}',
    )
    async with receiving(in_turn(failure, failure, created_response)) as server, at(server, kind) as client:
        created = await client.call("payment_methods.create", name="Cash", type_="cash")
    assert created.slug == "cash"
    sent = {(request.head, request.headers["idempotency-key"], request.body) for request in server.received}
    assert (len(server.received), len(sent)) == (3, 1)


async def test_each_write_has_its_own_key_and_a_read_has_none(kind: str) -> None:
    async with receiving(in_turn(error(422, "validation_error"))) as server, at(server, kind) as client:
        for _ in range(2):
            with pytest.raises(ApiError):
                await client.call("customers.create", first_name="Sara")
        with pytest.raises(ApiError):
            await client.call("availability.search", service_id="x", date="2026-01-01")
    keys = [request.headers.get("idempotency-key") for request in server.received]
    assert len(set(keys[:2])) == 2
    assert keys[2] is None
    assert None not in keys[:2]


@pytest.mark.parametrize("status", [400, 403, 404, 409, 410, 422])
async def test_a_permanent_error_is_not_retried(kind: str, status: int) -> None:
    async with receiving(error(status, "no")) as server, at(server, kind) as client:
        with pytest.raises(ApiError) as raised:
            await client.call("branches.list")
    assert (raised.value.status, raised.value.code, len(server.received)) == (status, "no", 1)


async def test_a_conflict_of_versions_is_not_retried(kind: str) -> None:
    async with receiving(error(409, "version_conflict")) as server, at(server, kind) as client:
        with pytest.raises(ApiError) as raised:
            await client.call("branches.list")
    assert (raised.value.code, len(server.received)) == ("version_conflict", 1)


async def test_the_last_error_is_raised_after_the_last_attempt(kind: str) -> None:
    async with receiving(error(503, "service_unavailable")) as server, at(server, kind) as client:
        with pytest.raises(ApiError) as raised:
            await client.call("branches.list")
    assert (raised.value.code, len(server.received)) == ("service_unavailable", 5)


async def test_retry_after_is_honoured_up_to_the_maximum_delay(kind: str) -> None:
    busy, too_busy = (error(429, "rate_limit_exceeded", retry_after=seconds) for seconds in ("1", "61"))
    async with receiving(in_turn(busy, PAGE, too_busy)) as server, at(server, kind) as client:
        began = time.monotonic()
        assert await client.call("branches.list") == []
        assert time.monotonic() - began >= 1
        with pytest.raises(ApiError) as raised:
            await client.call("branches.list")
    assert (raised.value.retry_after, len(server.received)) == (61, 3)


async def test_the_rate_limit_of_a_real_server_sends_retry_after(shop: Shop, kind: str) -> None:
    own = await make_client(shop, rate_limit=1)
    async with client_of(shop, kind, by=own, retry_policy=RetryPolicy(max_delay=0.5)) as client:

        async def ask_often() -> None:
            for _ in range(3):  # the minute may end meanwhile
                await client.call("branches.list")

        with pytest.raises(ApiError) as raised:
            await ask_often()
    assert raised.value.code == "rate_limit_exceeded"
    assert 1 <= (raised.value.retry_after or 0) <= 60


async def test_an_unreachable_server_raises_connection_failed(kind: str) -> None:
    base_url = f"http://127.0.0.1:{free_port()}"
    async with client_at(base_url, kind, token="t") as client:
        with pytest.raises(ConnectionFailed, match=r"GET .* after 5 attempts"):
            await client.call("branches.list")


async def test_a_response_that_is_not_from_the_api_is_reported(kind: str) -> None:
    page = respond_with(403, b"<h1>Blocked by the proxy</h1>")
    async with receiving(in_turn(page, respond_with(200, b'{"data": 1}'))) as server, at(server, kind) as client:
        with pytest.raises(ApiError, match="Blocked by the proxy") as raised:
            await client.call("branches.list")
        assert (raised.value.status, raised.value.code) == (403, None)
        with pytest.raises(InvalidResponse, match="GET /branches"):
            await client.call("branches.list")


async def test_a_file_is_asked_for_again_until_it_begins(kind: str) -> None:
    text = "first\u2028second"  # also an end of a line, but not of JSON
    lines = f'{{"resource":"orders","record":{{"total":1.10,"note":"{text}"}}}}\n{{"resource":"new","record":{{}}}}\n'
    answers = in_turn(error(503, "service_unavailable"), respond_with(200, lines.encode()), CUT)
    async with receiving(answers) as server, at(server, kind) as client:
        found = await client.call("exports.records", "1")
        assert [(one.resource, one.record) for one in found] == [
            ("orders", {"total": Decimal("1.10"), "note": text}),
            ("new", {}),
        ]
        with pytest.raises(ConnectionFailed, match="broke within the response to GET /exports/1/records"):
            await client.call("exports.records", "1")
    assert len(server.received) == 3


async def test_threads_or_tasks_share_a_client(shop: Shop, kind: str) -> None:
    async with client_of(shop, kind) as client:  # AnyClient calls the synchronous one in threads
        first, *others = await asyncio.gather(*(client.call("staff.list") for _ in range(8)))
    assert first
    assert others == [first] * 7


def at(server: Receiver, kind: str) -> Any:
    return client_at(f"http://127.0.0.1:{server.port}", kind, token="t")
