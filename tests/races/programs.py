"""Approved applications with a webhook and a payment method."""

from uuid import UUID

from frontdesk.applications.edit import ask_for_events, ask_for_scopes, bring_methods, create_application, describe
from frontdesk.applications.install import install
from frontdesk.applications.review import approve
from frontdesk.applications.signing import replace_signing_secret
from frontdesk.applications.submit import submit
from frontdesk.applications.types import About, AskedScope
from frontdesk.postgres.pool import Connection
from frontdesk.security.encryption import Vault
from frontdesk.tenants.types import Business
from frontdesk.values.ids import new_id
from frontdesk.webhooks.event_types import Kind
from tests.support.connections import borrowed
from tests.support.desk import owner_of
from tests.support.shop import Shop

VAULT = Vault(["a key that opens nothing else in these tests"])
VERSION = 1  # the one that was approved
SCOPES = ["orders:read", "customers:read"]


async def add_application(shop: Shop, *, events: tuple[Kind, ...] = (Kind.ORDER_CREATED, Kind.APP_INSTALLED)) -> UUID:
    """Developed by the owner of the shop, submitted and approved."""
    application_id, developer_id = new_id(), await owner_of(shop)
    about = About("Books", {"en": "Keeps books"}, dict.fromkeys(("support", "privacy"), "https://books.example.com"))
    async with borrowed(shop.dsn) as raw:
        conn = Connection(raw)
        await create_application(conn, developer_id, application_id, "Books")
        await describe(conn, developer_id, application_id, about)
        await ask_for_scopes(conn, developer_id, application_id, [AskedScope(s, "Needed", False) for s in SCOPES])
        await bring_methods(conn, developer_id, application_id, [{"en": "Wallet"}])
        await replace_signing_secret(conn, developer_id, application_id, VAULT)
        await ask_for_events(conn, developer_id, application_id, "https://books.example.com", events)
        await submit(conn, developer_id, application_id)
        await approve(conn, application_id, None, VERSION)
    return application_id


async def install_at(conn: Connection, business: Business, application_id: UUID, by: UUID) -> UUID:
    install_id = new_id()
    await install(conn, business, install_id, application_id, by, SCOPES, VERSION)
    return install_id
