"""The businesses of the day: a few providers, services, customers with an address, a webhook, a member at the desk."""

from collections import deque
from collections.abc import Iterator
from datetime import datetime
from uuid import UUID

from bench.requests import free_slots
from bench.tenants import BookableTenant, add_member, add_product, make_small_tenant
from frontdesk.postgres.pool import Connection
from frontdesk.security.encryption import SecretBox, load_or_create_key_row
from frontdesk.ui.shell.csrf import csrf_token
from frontdesk.values.ids import uuid7
from frontdesk.webhooks.event_types import EventType
from frontdesk.webhooks.signing import new_signing_secret

_SERVICES, _PROVIDERS = 2, 8
# Those that an accounting program asks for.
_EVENTS = [
    EventType.ORDER_CREATED,
    EventType.ORDER_STATUS_CHANGED,
    EventType.ORDER_PAYMENT_STATUS_CHANGED,
    EventType.TRANSACTION_CREATED,
]


class Business:
    def __init__(self, tenant: BookableTenant, slug: str, product_id: UUID, session: str) -> None:
        self.tenant = tenant
        self.slug = slug
        self.product_id = product_id
        self.cookie = f"frontdesk_session={session}"
        self.csrf = csrf_token(session, tenant.access.tenant_id)
        self.slots: Iterator[tuple[int, UUID, datetime]] = free_slots(tenant)
        self.unpaid: deque[str] = deque()  # the ids of bookings
        self.last_event = 0


async def make_businesses(conn: Connection, count: int, webhook_port: int) -> list[Business]:
    secret_box = SecretBox([await load_or_create_key_row(conn, create=True) or ""])
    return [await _make_business(conn, number, secret_box, webhook_port) for number in range(count)]


async def _make_business(conn: Connection, number: int, secret_box: SecretBox, webhook_port: int) -> Business:
    tenant = await make_small_tenant(conn, number, services=_SERVICES, providers=_PROVIDERS)
    tenant_id = tenant.access.tenant_id
    await conn.execute(
        "UPDATE customers SET email = 'c' || right(phone, 8) || '@bench.example' WHERE tenant_id = $1", tenant_id
    )
    await conn.execute(
        """
        INSERT INTO webhooks (tenant_id, id, client_id, url, events, secret)
        SELECT $1, $2, id, $3, $4, $5 FROM api_clients WHERE tenant_id = $1
        """,
        tenant_id,
        uuid7(),
        f"http://127.0.0.1:{webhook_port}/",
        _EVENTS,
        secret_box.encrypt(new_signing_secret().encode()),
    )
    slug = await conn.fetchval("SELECT slug FROM tenant_slugs WHERE tenant_id = $1 AND is_current", tenant_id)
    product_id = await add_product(conn, tenant_id)
    return Business(tenant, slug, product_id, await add_member(conn, tenant_id, "manager"))
