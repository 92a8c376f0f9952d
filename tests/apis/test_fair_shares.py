"""A business that sends more than its share waits for itself, not the others."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg
import httpx2
import pytest

from frontdesk.http import protocol
from frontdesk.http.known_callers import KnownCallers, stranger
from frontdesk.postgres.pool import Pool
from frontdesk.server import app
from tests.factories.users import owner_of
from tests.support.dashboard import DashboardClient
from tests.support.http_errors import assert_error
from tests.support.service import Service, running_service
from tests.support.shop import NO_CERTIFICATES, Shop
from tests.support.waiting import eventually
from tests.ui.booking_page.test_booking_page import slug_of

PATIENCE = 120.0
TOO_MANY = "Too many requests of this business are waiting."


class Occupied:
    """Connections that the requests of one business hold until they are let go, and whose turn each request was."""

    def __init__(self) -> None:
        self.turns: list[object] = []  # who asked for a connection
        self.given: list[object] = []  # who got one
        self.is_held = asyncio.Event()
        self.go_on = asyncio.Event()
        self.go_on.set()

    async def have_come(self, requests: int) -> None:
        await eventually(lambda: len(self.turns) >= requests)


@pytest.fixture
def occupied(monkeypatch: pytest.MonkeyPatch) -> Occupied:
    """Every connection of a request waits before its first statement, while `go_on` is not set."""
    held = Occupied()
    take = Pool.take

    async def taken(
        pool: Pool, tenant: object = None, wait: float | None = None
    ) -> "asyncpg.Connection[asyncpg.Record]":
        if tenant is None:  # the service itself
            return await take(pool, tenant, wait)
        held.turns.append(tenant)
        raw = await take(pool, tenant, wait)
        held.given.append(tenant)
        held.is_held.set()
        try:
            await held.go_on.wait()
        except BaseException:
            pool.release(raw, tenant)
            raise
        return raw

    monkeypatch.setattr(Pool, "take", taken)
    return held


@asynccontextmanager
async def many_connections(service: Service) -> AsyncIterator[httpx2.AsyncClient]:
    limits = httpx2.Limits(max_connections=200)
    async with httpx2.AsyncClient(
        base_url=service.origin, timeout=PATIENCE, limits=limits, verify=NO_CERTIFICATES
    ) as http:
        yield http


async def _ask(http: httpx2.AsyncClient, shop: Shop) -> httpx2.Response:
    return await http.get("/open-api/v1/branches", headers={"authorization": f"Bearer {await shop.token()}"})


async def _met(shop: Shop) -> None:
    assert (await shop.get("/branches")).status_code == 200


async def test_requests_of_a_business_beyond_its_share_wait_or_are_refused(
    dsn: str, occupied: Occupied, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol, "PAUSE_SECONDS", 0.0)
    monkeypatch.setattr(app, "TENANT_MEMORY_SECONDS", 0.0)
    monkeypatch.setattr(app, "WAITING_OF_TENANT", 32)  # the limit of requests in a minute comes soon after
    monkeypatch.setattr("frontdesk.http.request.CONNECTION_WAIT_SECONDS", PATIENCE)
    async with running_service(dsn) as service, many_connections(service) as http:
        shop = await service.new_shop()
        await _met(shop)
        occupied.go_on.clear()
        calls = [asyncio.create_task(_ask(http, shop)) for _ in range(60)]
        refused: list[httpx2.Response] = []
        for call in asyncio.as_completed(calls, timeout=PATIENCE):  # while none of the others can go on
            refused.append(await call)
            if len(refused) == 60 - app.REQUEST_CONNECTIONS - app.WAITING_OF_TENANT:
                break
        for answer in refused:
            assert_error(answer, 503, "service_unavailable")
            assert answer.json()["message"].startswith(TOO_MANY)
            assert answer.headers["retry-after"] == "1"
        occupied.go_on.set()
        answers = Counter(answer.status_code for answer in await asyncio.gather(*calls))
        assert answers[200] + answers[503] == 60
        assert answers[503] in (18, 19)  # the service itself may have used one connection at that moment


async def test_a_business_with_few_requests_does_not_wait_for_a_busy_one(
    dsn: str, occupied: Occupied, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("frontdesk.http.request.CONNECTION_WAIT_SECONDS", PATIENCE)
    async with running_service(dsn) as service, many_connections(service) as http:
        flood, quiet = await service.new_shop(), await service.new_shop()
        await _met(flood)
        await _met(quiet)
        occupied.turns.clear()
        occupied.given.clear()
        occupied.go_on.clear()
        calls = [asyncio.create_task(_ask(http, flood)) for _ in range(40)]
        await occupied.have_come(40)
        asked = asyncio.create_task(_ask(http, quiet))
        await occupied.have_come(41)
        occupied.go_on.set()
        assert (await asyncio.wait_for(asked, PATIENCE)).status_code == 200
        await asyncio.gather(*calls)
        quiet_turn = next(tenant for tenant in occupied.turns if tenant != occupied.turns[0])
        assert occupied.given.index(quiet_turn) <= app.REQUEST_CONNECTIONS


async def test_a_connection_that_was_refused_is_read_later(
    dsn: str, occupied: Occupied, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that a flood does not keep the process busy with refusals."""
    monkeypatch.setattr(protocol, "PAUSE_SECONDS", 3600.0)
    monkeypatch.setattr(app, "REQUEST_CONNECTIONS", 1)
    monkeypatch.setattr(app, "WAITING_OF_TENANT", 0)
    monkeypatch.setattr(app, "CONNECTIONS_OF_TENANT", 1)
    async with running_service(dsn) as service, many_connections(service) as http:
        shop = await service.new_shop()
        await _met(shop)
        occupied.is_held.clear()
        occupied.go_on.clear()
        first = asyncio.create_task(_ask(http, shop))
        await occupied.is_held.wait()
        async with httpx2.AsyncClient(
            base_url=service.origin, timeout=PATIENCE, limits=httpx2.Limits(max_connections=1), verify=NO_CERTIFICATES
        ) as insistent:
            assert_error(await _ask(insistent, shop), 503, "service_unavailable")
            again = asyncio.create_task(insistent.get("/health/live"))
            for _ in range(5):  # others are answered meanwhile, on connections of their own
                assert (await http.get("/health/live")).status_code == 200
            assert not again.done()
            again.cancel()
        occupied.go_on.set()
        assert (await first).status_code == 200


async def test_a_refused_connection_goes_on_after_its_rest(
    dsn: str, occupied: Occupied, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol, "PAUSE_SECONDS", 0.05)
    monkeypatch.setattr(app, "REQUEST_CONNECTIONS", 1)
    monkeypatch.setattr(app, "WAITING_OF_TENANT", 0)
    monkeypatch.setattr(app, "CONNECTIONS_OF_TENANT", 1)
    async with running_service(dsn) as service, many_connections(service) as http:
        shop = await service.new_shop()
        await _met(shop)
        occupied.is_held.clear()
        occupied.go_on.clear()
        first = asyncio.create_task(_ask(http, shop))
        await occupied.is_held.wait()
        async with httpx2.AsyncClient(
            base_url=service.origin, timeout=PATIENCE, limits=httpx2.Limits(max_connections=1), verify=NO_CERTIFICATES
        ) as insistent:
            for _ in range(3):
                assert_error(await _ask(insistent, shop), 503, "service_unavailable")
            occupied.go_on.set()
            assert (await first).status_code == 200
            while (await _ask(insistent, shop)).status_code != 200:  # the service itself may have the only connection
                pass


async def test_a_request_takes_the_turn_of_the_business_that_the_database_has_confirmed(
    dsn: str, occupied: Occupied
) -> None:
    async with running_service(dsn) as service, DashboardClient(service.origin, dsn) as desk:
        shop = await service.new_shop()
        tenant = (await shop.tenant()).tenant_id
        await desk.sign_in_as(await owner_of(shop))
        here = stranger("127.0.0.1")

        async def turns_of(*asks: str) -> list[object]:
            occupied.turns.clear()
            for ask in asks:
                if ask == "token":
                    await shop.get("/branches")
                elif ask == "key":
                    await shop.key_call("GET", "/items")
                elif ask == "page":
                    await desk.get("/settings/account")
                else:
                    await service.http.get(ask)
            return list(dict.fromkeys(occupied.turns))

        await shop.token()
        for ask in ("token", "key", "page"):
            assert (await turns_of(ask))[0] == here
            assert await turns_of(ask) == [tenant]
        page = f"/book/{await slug_of(shop)}"
        assert await turns_of(page) == [here, ("public", tenant)]
        assert await turns_of(page) == [("public", tenant)]  # not that of the business itself
        assert await turns_of("/book/nobody", "/book/nobody") == [here]


async def test_a_false_token_waits_with_the_strangers(dsn: str, occupied: Occupied) -> None:
    """It names a business, but takes nothing from it."""
    async with running_service(dsn) as service:
        shop = await service.new_shop()
        false = (await shop.token())[:-4] + "0000"
        occupied.turns.clear()
        for _ in range(2):
            answer = await service.http.get("/open-api/v1/branches", headers={"authorization": f"Bearer {false}"})
            assert answer.status_code == 401
        assert set(occupied.turns) == {stranger("127.0.0.1")}


def test_the_memory_of_known_callers_is_bounded() -> None:
    known = KnownCallers()
    for number in range(20_000):
        known.remember(number, "turn")
    assert len(known._turns) == 8192
    assert (known.find(0), known.find(19_999)) == (None, "turn")
    known.forget(19_999)
    assert known.find(19_999) is None


def test_unauthenticated_requests_share_a_few_turns() -> None:
    assert len({stranger(f"10.0.{n // 256}.{n % 256}") for n in range(2000)}) == 8
    assert len({stranger(f"2001:db8:1:2::{n:x}") for n in range(1, 200)}) == 1
    assert len({stranger(f"2001:db8:1:{n:x}::1") for n in range(1, 200)}) == 8
    assert stranger("::ffff:10.1.2.3") == stranger("10.1.2.3")
