"""Rotates the secret of an installed application, for example after it was lost or leaked."""

from uuid import UUID

from frontdesk.activity.record import record_activity
from frontdesk.applications.change_scopes import get_install
from frontdesk.auth.client_queries import update_client_secret
from frontdesk.auth.clients import GRACE
from frontdesk.auth.credentials import new_client_secret
from frontdesk.postgres.pool import Connection
from frontdesk.security.secrets import hash_secret
from frontdesk.values.actor import SYSTEM, Actor


async def rotate_install_secret(
    conn: Connection, tenant_id: UUID, install_id: UUID, version: int, *, keep_old: bool, actor: Actor = SYSTEM
) -> str | None:
    """Returns the new secret, or None if that version was already rotated."""
    install, secret = await get_install(conn, tenant_id, install_id), new_client_secret()
    grace = GRACE if keep_old else None
    async with conn.transaction():
        changed = await update_client_secret(
            conn, tenant_id, install.client_id, version, secret_hash=hash_secret(secret), grace=grace, installed=True
        )
        if changed:
            await record_activity(conn, tenant_id, actor, "application.secret_rotated", install_id, install.name)
    return secret if changed else None
