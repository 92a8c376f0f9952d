"""A database that hangs, is far away or is lost costs a caller an answer, never the patience to wait for one."""

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import asyncpg
import httpx2
import pytest

from frontdesk.http import request as requests
from frontdesk.http.request_connection import RequestConnection
from frontdesk.postgres import pool as pools
from frontdesk.postgres.connect import connect
from frontdesk.postgres.pool import ConnectionLost, Pool
from frontdesk.runtime.time_limits import TICK_SECONDS
from tests.factories.users import owner_of
from tests.support.branch import day, line, open_branch
from tests.support.dashboard import DashboardClient
from tests.support.http_errors import assert_error
from tests.support.servers.faulty_proxy import FaultyProxy, faulty_proxy
from tests.support.servers.receiver import receiving
from tests.support.service import Service, running_service
from tests.support.shop import Shop
from tests.support.waiting import eventually
from tests.ui.booking_page.test_booking_page import slug_of
from tests.webhooks.fixture import emit_events, make_webhook, running_worker

PATIENCE = 120.0  # of a test: longer than any limit of the service, however busy the machine is
Ask = Callable[[], Awaitable[httpx2.Response]]


@pytest.fixture
async def proxy(dsn: str) -> AsyncIterator[FaultyProxy]:
    async with faulty_proxy(dsn) as proxy:
        yield proxy


@pytest.fixture
def short_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "STATEMENT_SECONDS", 3.0)  # a busy machine needs half a second for ten at a time


@asynccontextmanager
async def service_behind(proxy: FaultyProxy, dsn: str) -> AsyncIterator[Service]:
    """Its requests go through the proxy; what the test itself reads and writes does not."""
    async with running_service(proxy.dsn) as service:
        service.dsn = dsn
        yield service
        proxy.heal()


def test_database_deadlines_add_up_to_sixteen_seconds() -> None:
    """The other tests of this file show that the limits are kept."""
    slowest = requests.CONNECTION_WAIT_SECONDS + pools.STATEMENT_SECONDS + TICK_SECONDS
    assert slowest < requests.REQUEST_SECONDS
    assert requests.REQUEST_SECONDS + TICK_SECONDS < 16
    assert requests.CONNECTION_WAIT_SECONDS == 2


async def test_requests_are_answered_while_the_database_is_frozen(proxy: FaultyProxy, dsn: str) -> None:
    async with service_behind(proxy, dsn) as service, DashboardClient(service.origin, dsn) as desk:
        shop = await service.new_shop()
        await desk.sign_in_as(await owner_of(shop))
        asks = await _requests(service, shop, desk)
        for ask in asks.values():
            assert (await ask()).status_code in (200, 201)
        number = await _orders(shop)

        proxy.freeze()
        answers = await asyncio.wait_for(asyncio.gather(*(ask() for ask in asks.values())), PATIENCE)
        for name, answer in zip(asks, answers, strict=True):
            assert (name, answer.status_code) == (name, 503)
            assert int(answer.headers["retry-after"]) > 0
        assert (await service.http.get("/health/live")).status_code == 200

        proxy.heal()
        for name, ask in asks.items():
            answer = await ask()
            assert answer.status_code in (200, 201), name
        # Of the writes with a key, which were sent twice, each was done once. That without a key was sent twice; the
        # first may have reached the database when it thawed, after its caller had gone.
        assert await _orders(shop) - number in (1, 2)


async def _orders(shop: Shop) -> int:
    rows = await shop.sql("SELECT count(*) FROM orders WHERE tenant_id = $1")
    number: int = rows[0][0]
    return number


async def _requests(service: Service, shop: Shop, desk: DashboardClient) -> dict[str, Ask]:
    branch = await open_branch(shop)
    sale = branch.order(line(await branch.add_product(stock=1_000_000), "product"))
    service_id = await branch.add_service()
    await branch.add_provider(service_id)
    window = {"service_id": str(service_id), "date": str(day(3))}
    page = f"/book/{await slug_of(shop)}"
    return {
        "a list": lambda: shop.get("/orders"),
        "a write": lambda: shop.post("/orders", sale),
        "a write with a key": lambda: shop.post("/orders", sale, headers={"idempotency-key": "one"}),
        "availability": lambda: shop.post("/availability", window),
        "a token": shop.ask_for_token,
        "the key interface": lambda: shop.key_call("GET", "/items"),
        "a page": lambda: desk.get("/orders"),
        "the public page": lambda: service.http.get(page),
        "ready": lambda: service.http.get("/health/ready"),
    }


async def test_a_write_whose_commit_got_lost_is_done_once(
    proxy: FaultyProxy, dsn: str, short_limits: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with service_behind(proxy, dsn) as service:
        shop = await service.new_shop()
        branch = await open_branch(shop)
        sale = branch.order(line(await branch.add_product(stock=5), "product"))
        key = {"headers": {"idempotency-key": "once"}}
        assert (await shop.get("/orders")).status_code == 200
        number = await _orders(shop)

        proxy.freeze()
        assert_error(await asyncio.wait_for(shop.post("/orders", sale, **key), PATIENCE), 503, "service_unavailable")
        proxy.heal()
        again = [await shop.post("/orders", sale, **key) for _ in range(2)]
        assert [answer.status_code for answer in again] == [201, 201]
        assert again[1].headers["idempotent-replayed"] == "true"
        assert await _orders(shop) == number + 1


async def test_idle_connections_are_discarded_after_one_was_lost(
    proxy: FaultyProxy, dsn: str, short_limits: None
) -> None:
    async with service_behind(proxy, dsn) as service:
        shop = await service.new_shop()
        await _use_all_connections(proxy, shop)
        proxy.swallow(for_new=False)
        assert_error(await asyncio.wait_for(shop.get("/orders"), PATIENCE), 503, "service_unavailable")
        for _ in range(12):
            assert (await shop.get("/orders")).status_code == 200


async def _use_all_connections(proxy: FaultyProxy, shop: Shop) -> None:
    """Ten requests at a time, until the pool has opened several connections."""
    await shop.token()
    while proxy.open < 5:
        answers = await asyncio.gather(*(shop.get("/orders") for _ in range(10)))
        assert {answer.status_code for answer in answers} == {200}


async def test_a_database_host_that_drops_packets_is_unavailable_until_it_is_back(
    proxy: FaultyProxy, dsn: str, short_limits: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with service_behind(proxy, dsn) as service:
        shop = await service.new_shop()
        assert (await shop.get("/orders")).status_code == 200
        monkeypatch.setattr(requests, "CONNECTION_WAIT_SECONDS", 0.3)
        proxy.swallow()
        for _ in range(3):  # on the open connection, then on new ones that are never there
            answer = await asyncio.wait_for(shop.get("/orders"), PATIENCE)
            assert_error(answer, 503, "service_unavailable")
            assert answer.headers["retry-after"] == "1"
        assert (await asyncio.wait_for(service.http.get("/health/ready"), PATIENCE)).status_code == 503
        proxy.heal()
        monkeypatch.setattr(requests, "CONNECTION_WAIT_SECONDS", PATIENCE)
        assert (await shop.get("/orders")).status_code == 200
        assert (await service.http.get("/health/ready")).status_code == 200


async def test_a_database_that_is_far_away_answers_late(proxy: FaultyProxy, dsn: str) -> None:
    async with service_behind(proxy, dsn) as service:
        shop = await service.new_shop()
        assert (await shop.get("/orders")).status_code == 200
        proxy.delay = 0.2
        assert (await shop.get("/orders")).status_code == 200


async def test_a_connection_that_is_cut_during_a_statement_is_replaced(proxy: FaultyProxy, dsn: str) -> None:
    async with service_behind(proxy, dsn) as service:
        shop = await service.new_shop()
        assert (await shop.get("/orders")).status_code == 200
        proxy.freeze(for_new=False)
        asked = asyncio.create_task(shop.get("/orders"))

        def cut_until_answered() -> bool:
            proxy.cut()
            return asked.done()

        await eventually(cut_until_answered)
        assert_error(await asked, 503, "service_unavailable")
        assert (await shop.get("/orders")).status_code == 200


async def test_a_request_ends_at_its_own_limit(proxy: FaultyProxy, dsn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also inside a transaction, whose ROLLBACK the database would not answer either."""
    async with service_behind(proxy, dsn) as service, DashboardClient(service.origin, dsn) as desk:
        shop = await service.new_shop()
        await desk.sign_in_as(await owner_of(shop))
        token = await desk.form_token()
        await shop.token()
        monkeypatch.setattr(requests, "REQUEST_SECONDS", 0.3)
        proxy.freeze()
        answer = await asyncio.wait_for(shop.get("/orders"), PATIENCE)
        assert_error(answer, 503, "service_unavailable")
        page = await asyncio.wait_for(desk.http.post("/settings/account", data={"form_token": token}), PATIENCE)
        assert (page.status_code, page.headers["retry-after"]) == (503, "1")
        proxy.heal()
        monkeypatch.setattr(requests, "REQUEST_SECONDS", PATIENCE)
        assert (await shop.get("/orders")).status_code == 200


async def test_an_archive_may_take_longer_than_other_requests(
    proxy: FaultyProxy, dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It reads some sixty tables, each of which has a limit of its own."""
    async with service_behind(proxy, dsn) as service, DashboardClient(service.origin, dsn) as desk:
        shop = await service.new_shop()
        await desk.sign_in_as(await owner_of(shop))
        assert (await desk.get("/export/business.zip")).status_code == 200
        monkeypatch.setattr(requests, "REQUEST_SECONDS", 1.0)
        proxy.delay = 0.03
        began = asyncio.get_running_loop().time()
        answer = await asyncio.wait_for(desk.get("/export/business.zip", timeout=PATIENCE), PATIENCE)
        assert (answer.status_code, answer.content[:2]) == (200, b"PK")
        assert asyncio.get_running_loop().time() - began > 1.0 + 2 * TICK_SECONDS


async def test_a_canceled_transaction_does_not_wait_for_the_database(proxy: FaultyProxy) -> None:
    database = Pool(proxy.dsn, size=1)
    begun = asyncio.Event()

    async def work() -> None:
        async with database.connection() as conn, conn.transaction():
            proxy.freeze()
            begun.set()
            await conn.fetchval("SELECT 1")

    task = asyncio.create_task(work())
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(task, PATIENCE)
    proxy.heal()
    async with database.connection() as conn:
        assert await conn.fetchval("SELECT 1") == 1
    await database.close()


async def test_a_connection_is_waited_for_once(proxy: FaultyProxy, dsn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The request fails before its caller is known, and is not kept waiting a second time to learn who that is."""
    waits: list[RequestConnection] = []
    take = RequestConnection._take

    async def counted(connection: RequestConnection) -> "asyncpg.Connection[asyncpg.Record]":
        waits.append(connection)
        return await take(connection)

    async with service_behind(proxy, dsn) as service:
        shop = await service.new_shop()
        await shop.token()
        proxy.cut()
        proxy.freeze()
        monkeypatch.setattr(requests, "CONNECTION_WAIT_SECONDS", 0.2)
        monkeypatch.setattr(RequestConnection, "_take", counted)
        for ask in (shop.get("/orders"), shop.post("/orders", {"wrong": 1})):
            waits.clear()
            assert_error(await asyncio.wait_for(ask, PATIENCE), 503, "service_unavailable")
            assert len(waits) == 1


async def test_ready_needs_no_connection_of_the_requests(proxy: FaultyProxy, dsn: str) -> None:
    async with service_behind(proxy, dsn) as service:
        shop = await service.new_shop()
        await _use_all_connections(proxy, shop)
        proxy.freeze(for_new=False)
        busy = [asyncio.create_task(shop.get("/orders")) for _ in range(10)]
        answer = await asyncio.wait_for(service.http.get("/health/ready"), PATIENCE)
        assert answer.status_code == 200
        proxy.heal()
        await asyncio.gather(*busy)


async def test_a_database_host_that_hangs_is_skipped(proxy: FaultyProxy, dsn: str) -> None:
    async with faulty_proxy(dsn) as other:
        address = proxy.through(str(proxy.port), str(other.port))
        database = Pool(address, size=1, wait=4.0, statement_seconds=0.3)
        async with database.connection() as conn:
            assert await conn.fetchval("SELECT 1") == 1
        assert (proxy.open, other.open) == (1, 0)
        proxy.freeze()
        with pytest.raises(ConnectionLost):
            async with database.connection() as conn:
                await conn.fetchval("SELECT 1")
        async with database.connection() as conn:
            assert await conn.fetchval("SELECT 1") == 1
        assert other.open == 1
        await database.close()
        raw = await connect(address, wait=4.0)  # without knowing which of them hangs
        assert await raw.fetchval("SELECT 1") == 1
        await raw.close()


async def test_database_connections_use_tcp_keepalive(proxy: FaultyProxy) -> None:
    raw = await connect(proxy.dsn)
    link = raw._transport.get_extra_info("socket")  # type: ignore[attr-defined]
    assert link.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
    assert link.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE) == 10
    assert link.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 5000
    await raw.close()


async def test_a_worker_goes_on_after_its_connections_were_lost_in_silence(
    proxy: FaultyProxy, service: Service, short_limits: None
) -> None:
    shop = await service.new_shop()
    async with receiving() as receiver, running_worker(proxy.dsn):
        hook = await make_webhook(shop, receiver.url)
        await emit_events(hook)
        await receiver.wait_for(1)
        proxy.swallow(for_new=False)
        await emit_events(hook)
        await receiver.wait_for(2)
        proxy.cut()  # the connection that the worker listened on
