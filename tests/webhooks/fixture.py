"""Webhooks and events written straight into the database, and a worker in the test's own loop that delivers them."""

import ssl
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

from frontdesk.net.dns import DnsResolver
from frontdesk.net.outbound_http import OutboundClient
from frontdesk.net.safe_url import Resolve
from frontdesk.postgres.pool import Pool, connect
from frontdesk.security.encryption import SecretBox
from frontdesk.server.worker import QUEUE_SETTINGS
from frontdesk.values.ids import uuid7
from frontdesk.webhooks.delivery_worker import DeliveryWorker
from frontdesk.webhooks.signing import new_signing_secret
from tests.factories import webhooks
from tests.factories.changes import ago, change_rows
from tests.factories.credentials import ApiClient, make_client
from tests.support.servers.citus import is_citus
from tests.support.servers.receiver import receiving
from tests.support.service import SECRET_KEYS, Service
from tests.support.shop import Shop
from tests.support.waiting import eventually

VAULT = SecretBox(SECRET_KEYS)


class WebhookFixture:
    """A webhook of a client of its own."""

    def __init__(self, shop: Shop, client: ApiClient, id_: UUID, secret: str) -> None:
        self.shop = shop
        self.client = client
        self.id = id_
        self.secret = secret

    async def row(self) -> Any:
        return (await self.shop.sql("SELECT * FROM webhooks WHERE tenant_id = $1 AND id = $2", self.id))[0]

    async def change(self, assignments: str, *args: object) -> None:
        await self.shop.sql(f"UPDATE webhooks SET {assignments} WHERE tenant_id = $1 AND id = $2", self.id, *args)

    async def deliveries(self) -> list[Any]:
        return await self.shop.sql(
            "SELECT * FROM webhook_deliveries WHERE tenant_id = $1 AND webhook_id = $2 ORDER BY id", self.id
        )

    async def attempts(self) -> list[Any]:
        return await self.shop.sql(
            """
            SELECT a.* FROM webhook_attempts a
            JOIN webhook_deliveries d ON d.tenant_id = a.tenant_id AND d.id = a.delivery_id
            WHERE a.tenant_id = $1 AND d.webhook_id = $2 ORDER BY a.attempted_at, a.id
            """,
            self.id,
        )

    async def make_due(self) -> None:
        """As if the time of every delivery that waits had come."""
        await change_rows(self.shop, "webhook_deliveries", {"webhook_id": self.id, "state": "due"}, due_at=ago())


async def wait_for_state(hook: WebhookFixture, state: str = "delivered", count: int = 1) -> list[Any]:
    """The deliveries, once so many of them are in that state."""

    async def look() -> list[Any]:
        deliveries = await hook.deliveries()
        return deliveries if sum(one["state"] == state for one in deliveries) >= count else []

    return await eventually(look)


async def wait_for_attempts(hook: WebhookFixture, count: int = 1) -> list[Any]:
    """The attempts, once there are so many."""

    async def look() -> list[Any]:
        attempts = await hook.attempts()
        return attempts if len(attempts) >= count else []

    return await eventually(look)


async def let_worker_take_a_turn(service: Service) -> None:
    """Delivers an event of another business: whatever was due before it could have been claimed together with it."""
    async with receiving() as receiver:
        witness = await make_webhook(await service.new_shop(), receiver.url)
        await emit_events(witness)
        await wait_for_state(witness)


async def make_webhook(
    shop: Shop, url: str, *, scopes: Sequence[str] = ("*",), install_id: UUID | None = None
) -> WebhookFixture:
    client = await make_client(shop, scopes=scopes, install_id=install_id)
    hook = WebhookFixture(shop, client, uuid7(), new_signing_secret())
    await webhooks.insert_webhook(shop, client.id, url, secret=VAULT.encrypt(hook.secret.encode()), id_=hook.id)
    return hook


async def emit_events(
    hooks: WebhookFixture | Sequence[WebhookFixture], count: int = 1, *, kind: str = "webhook.ping", data: Any = None
) -> None:
    """Pings, if nothing else is said, of one business to all the hooks."""
    hooks = [hooks] if isinstance(hooks, WebhookFixture) else hooks
    data = {"webhook_id": str(hooks[0].id)} if data is None else data
    await webhooks.emit_events(hooks[0].shop, [hook.id for hook in hooks], data, kind=kind, count=count)


@asynccontextmanager
async def running_worker(
    dsn: str,
    *,
    allow_private: bool = True,
    resolve: Resolve | None = None,
    tls: ssl.SSLContext | None = None,
    secret_box: SecretBox = VAULT,
    drain: float = 2.0,
    clock: Callable[[], float] = time.monotonic,
) -> AsyncIterator[DeliveryWorker]:
    """A worker as `frontdesk worker` runs it, but for where it looks up names and which certificates it trusts."""
    database = Pool(dsn, size=3, settings=QUEUE_SETTINGS)
    client = OutboundClient(resolve or DnsResolver().resolve, allow_private=allow_private, tls=tls)
    deliverer = DeliveryWorker(
        database, client, secret_box, origin="http://127.0.0.1", by_tenant=is_citus(dsn), clock=clock
    )
    raw = await connect(dsn)
    await raw.add_listener("frontdesk_deliveries", lambda *_: deliverer.wake())
    deliverer.start()
    try:
        yield deliverer
    finally:
        await raw.close()
        await deliverer.stop(drain)
        await database.close()
