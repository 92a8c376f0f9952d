"""The act of giving an installed application a new secret, when the first one was lost or told to the wrong person."""

from uuid import UUID

from frontdesk.applications.change_scopes import get_install
from frontdesk.auth.clients import GRACE
from frontdesk.auth.credentials import new_client_secret
from frontdesk.auth.install_queries import update_installed_secret
from frontdesk.postgres.pool import Connection
from frontdesk.security.secrets import hash_secret


async def rotate_install_secret(
    conn: Connection, tenant_id: UUID, install_id: UUID, version: int, *, keep_old: bool
) -> str | None:
    """Told once; None where that version was replaced before."""
    install, secret = await get_install(conn, tenant_id, install_id), new_client_secret()
    changed = await update_installed_secret(
        conn, tenant_id, install.client_id, version, secret_hash=hash_secret(secret), grace=GRACE if keep_old else None
    )
    return secret if changed else None
