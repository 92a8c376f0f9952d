"""Approved applications, made by SQL, with a webhook and a payment method."""

from uuid import UUID

from frontdesk.applications.install import install
from frontdesk.kit.db import Connection
from frontdesk.kit.ids import new_id
from frontdesk.kit.vault import Vault
from frontdesk.tenants.types import Business
from tests.support.desk import owner_of
from tests.support.shop import Shop

VAULT = Vault(["a key that opens nothing else in these tests"])
SCOPES = ["orders:read", "customers:read"]


async def add_application(shop: Shop, *, events: tuple[str, ...] = ("order.created", "app.installed")) -> UUID:
    """Developed by the owner of the shop."""
    application_id = new_id()
    await shop.sql(
        """
        WITH made AS (
            INSERT INTO applications (id, developer_id, name, slug, status, reviewed_scopes, webhook_url,
                                      webhook_events, webhook_secret, payment_methods, description, links)
            SELECT $2, $3, 'Books', $2::uuid::text, 'approved',
                   (SELECT jsonb_agg(jsonb_build_object('scope', s, 'reason', 'Needed', 'required', false))
                    FROM unnest($4::text[]) s),
                   'https://books.example.com', $5, $6, '[{"en": "Wallet"}]', '{"en": "Keeps books"}', '{}'
            WHERE $1::uuid IS NOT NULL RETURNING id
        )
        INSERT INTO application_scopes (application_id, scope, reason, required)
        SELECT id, s, 'Needed', false FROM made, unnest($4::text[]) s
        """,
        application_id,
        await owner_of(shop),
        SCOPES,
        list(events),
        VAULT.seal(b"whsec_c2VjcmV0"),
    )
    return application_id


async def install_at(conn: Connection, business: Business, application_id: UUID, by: UUID) -> UUID:
    install_id = new_id()
    await install(conn, business, install_id, application_id, by, SCOPES)
    return install_id
