"""Approved applications with a webhook and a payment method."""

from uuid import UUID

from frontdesk.applications.edit import create_application, set_payment_methods, set_scopes, set_webhook, update_listing
from frontdesk.applications.install import install
from frontdesk.applications.review import approve
from frontdesk.applications.signing import rotate_signing_secret
from frontdesk.applications.submit import submit
from frontdesk.applications.types import Listing, RequestedScope
from frontdesk.postgres.pool import Connection
from frontdesk.security.encryption import SecretBox
from frontdesk.values.actor import Actor
from frontdesk.values.ids import uuid7
from frontdesk.values.tenant_context import TenantContext
from frontdesk.webhooks.event_types import EventType
from tests.factories.users import owner_of
from tests.support.connections import pooled_connection
from tests.support.shop import Shop

VAULT = SecretBox(["a key that opens nothing else in these tests"])
VERSION = 1  # the one that was approved
SCOPES = ["orders:read", "customers:read"]


async def add_application(
    shop: Shop, *, events: tuple[EventType, ...] = (EventType.ORDER_CREATED, EventType.APP_INSTALLED)
) -> UUID:
    """Developed by the owner of the shop, submitted and approved."""
    application_id, developer_id = uuid7(), await owner_of(shop)
    about = Listing("Books", {"en": "Keeps books"}, dict.fromkeys(("support", "privacy"), "https://books.example.com"))
    async with pooled_connection(shop.dsn) as raw:
        conn = Connection(raw)
        await create_application(conn, developer_id, application_id, "Books")
        await update_listing(conn, developer_id, application_id, about)
        await set_scopes(conn, developer_id, application_id, [RequestedScope(s, "Needed", False) for s in SCOPES])
        await set_payment_methods(conn, developer_id, application_id, [{"en": "Wallet"}])
        await rotate_signing_secret(conn, developer_id, application_id, VAULT)
        await set_webhook(conn, developer_id, application_id, "https://books.example.com", events)
        await submit(conn, developer_id, application_id)
        await approve(conn, application_id, None, VERSION)
    return application_id


async def install_at(conn: Connection, tenant: TenantContext, application_id: UUID, by: UUID) -> UUID:
    install_id = uuid7()
    await install(conn, tenant, install_id, application_id, Actor("user", by), SCOPES, VERSION)
    return install_id
