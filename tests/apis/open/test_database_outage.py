"""The database stops under a running service and comes back: callers get an error, and nothing needs a restart."""

import asyncio
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
import pytest

from frontdesk.postgres.embedded.server import EmbeddedPostgres
from frontdesk.postgres.pool import connect
from frontdesk.postgres.schema.migrate import migrate
from frontdesk.postgres.schema.migration_files import read_functions, read_migrations
from frontdesk.server.database import functions_folder, migrations_folder
from tests.factories.users import owner_of
from tests.support.branch import day, line, open_branch
from tests.support.dashboard import DashboardClient
from tests.support.http_errors import assert_error
from tests.support.repetitions import repetitions
from tests.support.service import Service, running_service
from tests.support.shop import Shop
from tests.support.waiting import eventually


@pytest.fixture
def server() -> Iterator[EmbeddedPostgres]:
    """One that this test may stop."""
    with tempfile.TemporaryDirectory(prefix="frontdesk-outage-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        server = EmbeddedPostgres(Path(folder) / "data", None, {"fsync": "off"})
        yield server
        server.stop()


@asynccontextmanager
async def migrated(server: EmbeddedPostgres) -> AsyncIterator[Service]:
    dsn = await asyncio.to_thread(server.start)
    raw = await connect(dsn)
    await migrate(raw, read_migrations(migrations_folder()), lambda _line: None, read_functions(functions_folder()))
    await raw.close()
    async with running_service(dsn) as service:
        yield service


async def test_a_stopped_database_is_unavailable_until_it_is_back(server: EmbeddedPostgres) -> None:
    async with migrated(server) as service:
        shop = await service.new_shop()
        assert (await shop.get("/branches")).status_code == 200
        assert await _ready(service) == 200

        await asyncio.to_thread(server.stop)
        for _ in range(3):
            answer = await shop.get("/branches")
            assert_error(answer, 503, "service_unavailable")
            assert answer.headers["retry-after"] == "1"
        assert_error(await shop.ask_for_token(), 503, "service_unavailable")
        assert_error(await shop.key_call("GET", "/items"), 503, "service_unavailable")
        assert await _ready(service) == 503
        assert (await service.http.get("/health/live")).status_code == 200
        assert_error(await service.http.get("/nothing"), 404, "not_found")

        assert await asyncio.to_thread(server.start) == service.dsn
        assert (await shop.get("/branches")).status_code == 200
        assert (await shop.ask_for_token()).status_code == 200
        assert await _ready(service) == 200


async def test_a_connection_to_a_server_that_has_become_read_only_is_given_up(server: EmbeddedPostgres) -> None:
    async with migrated(server) as service:
        shop = await service.new_shop()
        branch = await open_branch(shop)
        sale = branch.order(line(await branch.add_product(stock=5), "product"))
        assert (await shop.post("/orders", sale)).status_code == 201
        assert await _ready(service) == 200

        admin = await connect(service.dsn)
        await admin.execute("ALTER SYSTEM SET default_transaction_read_only = on")
        await admin.execute("SELECT pg_reload_conf()")
        for answer in [await shop.post("/orders", sale), await shop.get("/orders")]:
            assert_error(answer, 503, "service_unavailable")
            assert answer.headers["retry-after"] == "1"
        assert await _ready(service) == 503

        # As after a change of the primary: only a new connection leads to a server that accepts writes.
        name = await admin.fetchval("SELECT current_database()")
        await admin.execute("SET default_transaction_read_only = off")
        await admin.execute(f'ALTER DATABASE "{name}" SET default_transaction_read_only = off')
        await admin.close()
        assert (await shop.post("/orders", sale)).status_code == 201
        assert await _ready(service) == 200


async def _ready(service: Service) -> int:
    return (await service.http.get("/health/ready")).status_code


Ask = Callable[[], Awaitable[httpx2.Response]]
RESTARTS = repetitions(1, long=20)
NEEDS_NO_DATABASE = "a page of nobody"


@pytest.mark.torture
async def test_a_restart_under_load_is_unavailable_and_nothing_else(server: EmbeddedPostgres) -> None:
    async with migrated(server) as service, DashboardClient(service.origin, service.dsn) as desk:
        shop, _ = await service.new_shop(), await service.new_shop()
        await desk.sign_in_as(await owner_of(shop))
        asks = await _requests(service, shop, desk)
        seen: dict[str, Counter[int]] = {name: Counter() for name in asks}
        callers = [asyncio.create_task(_keep_asking(ask, seen[name])) for name, ask in asks.items() for _ in "12"]
        try:
            async with asyncio.timeout(120 * RESTARTS):
                for _ in range(RESTARTS):
                    await _until_more(seen, callers, 200)
                    await asyncio.to_thread(server.stop)
                    await _until_more({name: seen[name] for name in seen if name != NEEDS_NO_DATABASE}, callers, 503)
                    await asyncio.to_thread(server.start)
                await _until_more(seen, callers, 200)
        finally:
            for caller in callers:
                caller.cancel()
            await asyncio.gather(*callers, return_exceptions=True)
    assert all(set(statuses) <= {200, 201, 503} for statuses in seen.values()), seen


async def _requests(service: Service, shop: Shop, desk: DashboardClient) -> dict[str, Ask]:
    branch = await open_branch(shop)
    sale = branch.order(line(await branch.add_product(stock=1_000_000), "product"))
    service_id = await branch.add_service()
    await branch.add_provider(service_id)
    window = {"service_id": str(service_id), "date": str(day(3))}
    return {
        "a list": lambda: shop.get("/branches"),
        "a write": lambda: shop.post("/orders", sale),
        "a write with a key": lambda: shop.post("/orders", sale, headers={"idempotency-key": "one"}),
        "availability": lambda: shop.post("/availability", window),
        "a token": shop.ask_for_token,
        "the key interface": lambda: shop.key_call("GET", "/items"),
        "a page": lambda: desk.get("/"),
        NEEDS_NO_DATABASE: lambda: service.http.get("/sign-in"),
    }


async def _keep_asking(ask: Ask, seen: Counter[int]) -> None:
    while True:
        answer = await ask()
        seen[answer.status_code] += 1
        if answer.status_code == 503:
            assert int(answer.headers["retry-after"]) > 0
            await asyncio.sleep(0.02)  # so that refusals do not keep the machine from starting the server


async def _until_more(seen: dict[str, Counter[int]], callers: list[asyncio.Task[None]], status: int) -> None:
    """Each kind of request has had this answer once more; 201 counts as 200."""
    before = {name: _count(statuses, status) for name, statuses in seen.items()}

    def has_come() -> bool:
        for caller in callers:
            if caller.done():
                caller.result()
        return all(_count(statuses, status) > before[name] for name, statuses in seen.items())

    await eventually(has_come)


def _count(statuses: Counter[int], status: int) -> int:
    return statuses[status] + (statuses[201] if status == 200 else 0)
