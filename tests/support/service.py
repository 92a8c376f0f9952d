"""The service itself, on a loopback port, in the test's own event loop: real HTTP, real database."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
import uvicorn

from frontdesk.config import Settings
from frontdesk.demo_data.content import TIMEZONE
from frontdesk.demo_data.create import create_sandbox
from frontdesk.http import access_log as records
from frontdesk.http.protocol import BoundedProtocol
from frontdesk.postgres.pool import Connection
from frontdesk.server.app import Frontdesk
from frontdesk.server.serve import bind
from tests.factories.changes import change_tenant
from tests.support.connections import pooled_connection
from tests.support.openapi_check import ResponseValidator
from tests.support.servers.citus import is_citus
from tests.support.shop import NO_CERTIFICATES, Shop
from tests.support.waiting import eventually

PLENTY = 1_000_000
SECRET_KEYS = ("a key of the tests, long enough to be one".replace(" ", "-"),)


class Service:
    def __init__(self, origin: str, dsn: str, http: httpx2.AsyncClient) -> None:
        self.origin = origin
        self.dsn = dsn
        self.http = http  # without any credentials

    async def new_shop(
        self,
        *,
        plan: str = "professional",
        rate_limit: int | None = PLENTY,
        scopes: Sequence[str] | None = None,
        timezone: str = TIMEZONE,
    ) -> Shop:
        async with pooled_connection(self.dsn) as raw:
            if not is_citus(self.dsn):
                # Checking foreign keys is a fifth of the cost. tests/demo_data creates sandboxes with the checks.
                await raw.execute("SET session_replication_role = replica")
            sandbox = await create_sandbox(Connection(raw), rate_limit=rate_limit, scopes=scopes, timezone=timezone)
        shop = Shop(self.origin, self.dsn, sandbox, self.http)
        if plan != "professional":
            await shop.token()  # from a time when the plan had the Open API
            await change_tenant(shop, plan=plan, open_api=False)
        return shop


@asynccontextmanager
async def running_service(dsn: str, **overrides: object) -> AsyncIterator[Service]:
    chosen = {"data_dir": Path("unused"), "port": 0, "email_dns": False, "secret_keys": SECRET_KEYS, **overrides}
    chosen.setdefault("is_distributed", is_citus(dsn))
    settings = Settings(**chosen)  # type: ignore[arg-type]
    listening = bind(settings)
    described = ResponseValidator(Frontdesk(settings, dsn))
    config = uvicorn.Config(
        described,
        http=BoundedProtocol,
        ws="none",
        log_config=None,
        access_log=False,
        lifespan="on",
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=list(settings.trusted_proxies),
    )
    records.DELAY = 0.0  # who reads the output of a test does not want yesterday's requests in it
    server = uvicorn.Server(config)
    server.capture_signals = _no_signals  # type: ignore[method-assign, assignment]
    running = asyncio.create_task(server.serve(sockets=[listening]))
    await eventually(lambda: server.started)
    origin = f"http://127.0.0.1:{listening.getsockname()[1]}"
    try:
        async with httpx2.AsyncClient(base_url=origin, timeout=120, verify=NO_CERTIFICATES) as http:
            yield Service(origin, dsn, http)
    finally:
        server.should_exit = True
        await running
        listening.close()
    assert not described.violations, "\n".join(["answers that are not as the description says:", *described.violations])


@asynccontextmanager
async def patient_service(dsn: str) -> AsyncIterator[Service]:
    """Its statements wait for locks as long as the test holds them, however slow the machine is."""
    async with running_service(f"{dsn}&options=-c%20lock_timeout%3D60s%20-c%20statement_timeout%3D60s") as service:
        service.dsn = dsn
        yield service


@asynccontextmanager
async def served_patiently(shop: Shop) -> AsyncIterator[Shop]:
    """The same business at such a service."""
    async with patient_service(shop.dsn) as service:
        yield Shop(service.origin, shop.dsn, shop.sandbox, service.http)


def _no_signals() -> "_Nothing":
    """Ctrl-C belongs to pytest."""
    return _Nothing()


class _Nothing:
    def __enter__(self) -> None: ...

    def __exit__(self, *_: object) -> None: ...
