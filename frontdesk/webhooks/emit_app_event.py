"""Emits the events of an install, in the transaction that creates, changes or disconnects it.

They are visible to the application and to the tenant's own clients. A disconnected application receives nothing more,
not even that event: its next request is rejected.
"""

from uuid import UUID

import msgspec

from frontdesk.postgres.pool import Connection
from frontdesk.webhooks.event_types import EventType
from frontdesk.webhooks.payloads import AppEventData, AppScopesChangedData
from frontdesk.webhooks.queries import insert_app_event


async def emit_app_installed(conn: Connection, tenant_id: UUID, app: AppEventData) -> None:
    await insert_app_event(conn, tenant_id, app.client_id, EventType.APP_INSTALLED, msgspec.json.encode(app))


async def emit_app_scopes_changed(conn: Connection, tenant_id: UUID, app: AppScopesChangedData) -> None:
    """Emits nothing if the scopes have not changed."""
    if sorted(app.scopes) != sorted(app.previous_scopes):
        await insert_app_event(conn, tenant_id, app.client_id, EventType.APP_SCOPES_CHANGED, msgspec.json.encode(app))


async def emit_app_disconnected(conn: Connection, tenant_id: UUID, app: AppEventData) -> None:
    await insert_app_event(conn, tenant_id, app.client_id, EventType.APP_DISCONNECTED, msgspec.json.encode(app))
