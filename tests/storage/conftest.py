"""A bucket in a storage server of moto, and a service that keeps pictures there."""

import os
import re
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from uuid import uuid4

import pytest

from frontdesk.config_storage import StorageSettings
from frontdesk.net import outbound_http
from frontdesk.net.dns import DnsResolver
from frontdesk.storage import store as store_module
from frontdesk.storage.store import ObjectStore, open_store
from tests.factories.users import owner_of
from tests.prepare import moto_folder
from tests.support.dashboard import DashboardClient, dashboard_of
from tests.support.service import Service, running_service
from tests.support.shop import Shop
from tests.support.waiting import PATIENCE_SECONDS, wait_until

_ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+")


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test fails because the machine did not run for a while."""
    monkeypatch.setattr(store_module, "SECONDS", PATIENCE_SECONDS)
    monkeypatch.setattr(outbound_http, "_CONNECT_TIMEOUT", PATIENCE_SECONDS)


@pytest.fixture(scope="session")
def endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """One server of a test process. It says which port it has."""
    if not moto_folder().exists():
        pytest.skip("tests/prepare.py has not installed moto")
    said = tmp_path_factory.mktemp("moto") / "log"
    with said.open("wb") as log:
        server = subprocess.Popen(
            [sys.executable, "-m", "moto.server", "--host=127.0.0.1", "--port=0"],
            env={**os.environ, "PYTHONPATH": str(moto_folder())},
            stdout=log,
            stderr=log,
        )
    try:
        wait_until(lambda: server.poll() is not None or _ADDRESS.search(said.read_text()))
        found = _ADDRESS.search(said.read_text())
        assert found, said.read_text()
        yield found[0]
    finally:
        server.kill()
        server.wait()


@pytest.fixture(scope="session")
async def bucket(endpoint: str) -> StorageSettings:
    """With a prefix, beside which other programs may keep something in the same bucket."""
    settings = StorageSettings(endpoint, f"desk-{uuid4()}", "key", "secret", prefix="desk/")
    store = open_store(settings, DnsResolver())
    await store.send("PUT", None, seconds=PATIENCE_SECONDS)
    await store.close()
    return settings


@pytest.fixture
def dead_endpoint() -> Iterator[str]:
    """Nobody listens there, and nobody else gets the port."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{bound.getsockname()[1]}"


@pytest.fixture
async def store(bucket: StorageSettings) -> AsyncIterator[ObjectStore]:
    opened = open_store(bucket, DnsResolver())
    yield opened
    await opened.close()


@pytest.fixture(scope="session")
async def bucket_service(dsn: str, bucket: StorageSettings) -> AsyncIterator[Service]:
    async with running_service(dsn, storage=bucket, pictures_in_bucket=True) as running:
        yield running


@pytest.fixture
async def own_shop(bucket_service: Service) -> Shop:
    return await bucket_service.new_shop()


@pytest.fixture
async def owner(own_shop: Shop) -> AsyncIterator[DashboardClient]:
    async with await dashboard_of(own_shop, await owner_of(own_shop)) as desk:
        yield desk
