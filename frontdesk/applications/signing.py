"""The secret that signs an application's webhooks at every business. It is shown to the developer once."""

from uuid import UUID

from frontdesk.applications.edit import get_developer_application
from frontdesk.applications.queries.applications import lock_application, update_webhook_secret
from frontdesk.postgres.pool import Connection
from frontdesk.security.encryption import SecretBox
from frontdesk.webhooks.application_queries import update_application_secret
from frontdesk.webhooks.signing import new_signing_secret


async def rotate_signing_secret(
    conn: Connection, developer_id: UUID, application_id: UUID, secret_box: SecretBox
) -> str:
    """Takes effect at the next delivery; the old secret also signs for a day. Allowed in any status."""
    secret = new_signing_secret()
    encrypted = secret_box.encrypt(secret.encode())
    async with conn.transaction():
        await lock_application(conn, application_id)
        await get_developer_application(conn, developer_id, application_id)
        await update_application_secret(conn, application_id, encrypted)
        await update_webhook_secret(conn, application_id, encrypted)
    return secret
