"""The database goes away under a running service and comes back: callers are told, and nothing needs a restart."""

import asyncio
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from frontdesk.kit.db import connect
from frontdesk.kit.embedded import EmbeddedPostgres
from frontdesk.kit.migrate import migrate, read_migrations
from frontdesk.opening import migrations_folder
from tests.support.service import Service, running_service
from tests.support.wire import refused


@pytest.fixture
def server() -> Iterator[EmbeddedPostgres]:
    """One that this test may stop."""
    with tempfile.TemporaryDirectory(prefix="frontdesk-outage-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        server = EmbeddedPostgres(Path(folder) / "data", None, {"fsync": "off"})
        yield server
        server.stop()


async def test_a_stopped_database_is_unavailable_until_it_is_back(server: EmbeddedPostgres) -> None:
    dsn = await asyncio.to_thread(server.start)
    raw = await connect(dsn)
    await migrate(raw, read_migrations(migrations_folder()), lambda _line: None)
    await raw.close()
    async with running_service(dsn) as service:
        shop = await service.new_shop()
        assert (await shop.get("/branches")).status_code == 200
        assert await _ready(service) == 200

        await asyncio.to_thread(server.stop)
        for _ in range(3):
            answer = await shop.get("/branches")
            refused(answer, 503, "service_unavailable")
            assert answer.headers["retry-after"] == "1"
        refused(await shop.ask_for_token(), 503, "service_unavailable")
        refused(await shop.key_call("GET", "/items"), 503, "service_unavailable")
        assert await _ready(service) == 503
        assert (await service.http.get("/health/live")).status_code == 200
        refused(await service.http.get("/nothing"), 404, "not_found")

        assert await asyncio.to_thread(server.start) == dsn
        assert (await shop.get("/branches")).status_code == 200
        assert (await shop.ask_for_token()).status_code == 200
        assert await _ready(service) == 200


async def _ready(service: Service) -> int:
    return (await service.http.get("/health/ready")).status_code
