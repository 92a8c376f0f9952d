"""Disconnects an application: its tokens, webhooks and payment methods stop working immediately."""

from uuid import UUID

from frontdesk.activity.record import record_activity
from frontdesk.applications.change_scopes import get_install
from frontdesk.applications.queries.installs import lock_install, update_disconnected
from frontdesk.postgres.pool import Connection
from frontdesk.values.actor import SYSTEM, Actor
from frontdesk.webhooks.emit_app_event import emit_app_disconnected
from frontdesk.webhooks.payloads import AppEventData


async def disconnect(conn: Connection, tenant_id: UUID, install_id: UUID, actor: Actor = SYSTEM) -> None:
    async with conn.transaction():
        await lock_install(conn, tenant_id, install_id)
        install = await get_install(conn, tenant_id, install_id)
        await update_disconnected(conn, tenant_id, install_id)
        await record_activity(conn, tenant_id, actor, "application.disconnected", install_id, install.name)
        event = AppEventData(install.application_id, install.id, install.client_id, install.name, [])
        await emit_app_disconnected(conn, tenant_id, event)
