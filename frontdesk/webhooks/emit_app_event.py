"""What is told of an application at a business. Called in the transaction that lets it in, changes it or ends it.

Only the application itself and the business's own clients hear of it. One that is disconnected hears nothing any more,
not even that: its next request is refused.
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
    """Setting the scopes that it has already is no change, and is not told."""
    if sorted(app.scopes) != sorted(app.previous_scopes):
        await insert_app_event(conn, tenant_id, app.client_id, EventType.APP_SCOPES_CHANGED, msgspec.json.encode(app))


async def emit_app_disconnected(conn: Connection, tenant_id: UUID, app: AppEventData) -> None:
    await insert_app_event(conn, tenant_id, app.client_id, EventType.APP_DISCONNECTED, msgspec.json.encode(app))
