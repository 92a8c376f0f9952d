"""The client asks again where that is safe, as often as it was told to, and never makes anything twice."""

import asyncio
import time
from typing import Any

import pytest

from frontdesk.client import ApiError, ConnectionFailed, InvalidResponse, RetryPolicy
from tests.client.any_client import KINDS, client_at, client_of
from tests.support.clients import add_client
from tests.support.commands import free_port
from tests.support.flaky import flaky_proxy
from tests.support.receiver import Behave, Received, Receiver, receiving, respond_with, respond_with_bytes
from tests.support.service import Service
from tests.support.shop import Shop

pytestmark = [pytest.mark.parametrize("kind", KINDS)]

PAGE = respond_with(
    200,
    b'{"data":[],"links":{"first":"","last":"","prev":null,"next":null},'
    b'"meta":{"current_page":1,"last_page":1,"per_page":100,"total":0}}',
)
CUT = respond_with_bytes(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{")


def refusal(status: int, code: str, **headers: str) -> Behave:
    return respond_with(status, b'{"error":"%s","message":"Not now."}' % code.encode(), **headers)


def in_turn(*answers: Behave) -> Behave:
    """Each of them once, and the last one ever after; a cut one ends the connection."""

    async def behave(receiver: Receiver, received: Received, writer: asyncio.StreamWriter) -> None:
        chosen = answers[min(len(receiver.received), len(answers)) - 1]
        await chosen(receiver, received, writer)
        if chosen is CUT:
            writer.close()

    return behave


async def test_on_a_bad_line_everything_is_made_once(service: Service, kind: str) -> None:
    shop = await service.new_shop()
    wanted = [f"Guest {number}" for number in range(40)]
    async with (
        flaky_proxy(service.origin, seed=5, share=0.15) as line,
        client_of(shop, kind, origin=line.origin, patience=RetryPolicy(12, first_wait=0.005)) as client,
    ):
        made = [await client.ask("customers.create", first_name=name) for name in wanted]
    assert min(line.lost_requests, line.lost_answers) >= 3
    rows = await shop.sql("SELECT id, first_name FROM customers WHERE tenant_id = $1 AND first_name LIKE 'Guest %'")
    assert {row["id"]: row["first_name"] for row in rows} == {one.id: one.first_name for one in made}
    assert sorted(wanted) == sorted(row["first_name"] for row in rows)


async def test_a_key_of_the_callers_own_makes_once_what_two_processes_ask_for(service: Service, kind: str) -> None:
    shop = await service.new_shop()
    made = []
    for _ in range(2):
        async with client_of(shop, kind) as client:
            made.append(await client.ask("customers.create", first_name="Noura", key="import-1"))
    assert made[0] == made[1]


@pytest.mark.parametrize(
    "again",
    [
        CUT,
        refusal(408, "request_timeout"),
        refusal(429, "rate_limit_exceeded", retry_after="0"),
        refusal(409, "idempotency_key_in_use", retry_after="0"),
        refusal(500, "internal_error"),
        refusal(502, "availability_check_failed"),
        refusal(503, "service_unavailable"),
    ],
    ids=["cut", "408", "429", "409", "500", "502", "503"],
)
async def test_what_may_pass_is_asked_again_with_the_same_key_and_bytes(kind: str, again: Behave) -> None:
    done = respond_with(
        201,
        b'{"data":{"id":"01920000-0000-7000-8000-000000000001","name":{"en":"Cash"},"slug":"cash",'
        b'"type":{"id":"01920000-0000-7000-8000-000000000002","name":"Cash","slug":"cash"},'
        b'"created_at":"2026-01-01T00:00:00.000000Z","updated_at":"2026-01-01T00:00:00.000000Z"}}',
    )
    async with receiving(in_turn(again, again, done)) as server, at(server, kind) as client:
        made = await client.ask("payment_methods.create", name="Cash", type_="cash")
    assert made.slug == "cash"
    sent = {(one.head, one.headers["idempotency-key"], one.body) for one in server.received}
    assert (len(server.received), len(sent)) == (3, 1)


async def test_each_write_has_a_key_of_its_own_and_a_read_has_none(kind: str) -> None:
    async with receiving(in_turn(refusal(422, "validation_error"))) as server, at(server, kind) as client:
        for _ in range(2):
            with pytest.raises(ApiError):
                await client.ask("customers.create", first_name="Sara")
        with pytest.raises(ApiError):
            await client.ask("availability.find", service_id="x", date="2026-01-01")
    keys = [one.headers.get("idempotency-key") for one in server.received]
    assert len(set(keys[:2])) == 2
    assert keys[2] is None
    assert None not in keys[:2]


@pytest.mark.parametrize("status", [400, 403, 404, 410, 422])
async def test_a_refusal_for_good_is_not_asked_again(kind: str, status: int) -> None:
    async with receiving(refusal(status, "no")) as server, at(server, kind) as client:
        with pytest.raises(ApiError) as refused:
            await client.ask("branches.list")
    assert (refused.value.status, refused.value.code, len(server.received)) == (status, "no", 1)


async def test_attempts_are_counted_and_the_last_refusal_is_told(kind: str) -> None:
    async with receiving(refusal(503, "service_unavailable")) as server, at(server, kind) as client:
        with pytest.raises(ApiError) as refused:
            await client.ask("branches.list")
    assert (refused.value.code, len(server.received)) == ("service_unavailable", 5)


async def test_a_wait_that_is_asked_for_is_kept_and_one_that_is_too_long_is_told(kind: str) -> None:
    busy, too_busy = (refusal(429, "rate_limit_exceeded", retry_after=seconds) for seconds in ("1", "61"))
    async with receiving(in_turn(busy, PAGE, too_busy)) as server, at(server, kind) as client:
        began = time.monotonic()
        assert await client.ask("branches.list") == []
        assert time.monotonic() - began >= 1
        with pytest.raises(ApiError) as refused:
            await client.ask("branches.list")
    assert (refused.value.retry_after, len(server.received)) == (61, 3)


async def test_the_service_itself_says_how_long_to_wait(shop: Shop, kind: str) -> None:
    own = await add_client(shop, rate_limit=1)
    async with client_of(shop, kind, by=own, patience=RetryPolicy(longest_wait=0.5)) as client:
        await client.ask("branches.list")
        with pytest.raises(ApiError) as refused:
            await client.ask("branches.list")
    assert refused.value.code == "rate_limit_exceeded"
    assert 1 <= (refused.value.retry_after or 0) <= 60


async def test_nobody_there_is_no_answer(kind: str) -> None:
    base_url = f"http://127.0.0.1:{free_port()}"
    async with client_at(base_url, kind, token="t") as client:
        with pytest.raises(ConnectionFailed, match=r"GET .*, after 5 attempts"):
            await client.ask("branches.list")


async def test_what_is_no_answer_of_the_service_is_told_as_it_is(kind: str) -> None:
    page = respond_with(403, b"<h1>Blocked by the proxy</h1>")
    async with receiving(in_turn(page, respond_with(200, b'{"data": 1}'))) as server, at(server, kind) as client:
        with pytest.raises(ApiError, match="Blocked by the proxy") as refused:
            await client.ask("branches.list")
        assert (refused.value.status, refused.value.code) == (403, None)
        with pytest.raises(InvalidResponse, match="GET /branches"):
            await client.ask("branches.list")


def at(server: Receiver, kind: str) -> Any:
    return client_at(f"http://127.0.0.1:{server.port}", kind, token="t")
