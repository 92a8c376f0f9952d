"""The example application that is installed in every sandbox. Other businesses cannot install it."""

from datetime import datetime, timedelta
from uuid import UUID

import msgspec

from frontdesk.applications.queries.applications import replace_scopes
from frontdesk.applications.queries.versions import insert_version, update_approved
from frontdesk.applications.types import RequestedScope
from frontdesk.demo_data import content
from frontdesk.postgres.pool import Connection
from frontdesk.values.ids import uuid7

FIRST_VERSION = 1  # it is never edited


async def insert_application(conn: Connection, now: datetime) -> UUID:
    """Shared by all sandboxes. The id is read after the insert, because another sandbox may have created it."""
    found = await _find_application(conn)
    if found is not None:
        return found
    app, application_id, since = content.APPLICATION, uuid7(), now - timedelta(days=400)
    await conn.execute(
        "INSERT INTO users (id, email, name, email_verified_at) VALUES ($1, $2, $3, now()) ON CONFLICT DO NOTHING",
        uuid7(),
        app.developer_email,
        app.developer,
    )
    made = await conn.execute(
        """
        INSERT INTO applications (id, developer_id, name, slug, description, links, status, created_at, updated_at,
                                  approved_at, payment_methods, for_sandboxes)
        SELECT $1, id, $3, $4, $5, $6, 'approved', $7, $7, $7, $8, true
        FROM users WHERE email = $2 AND email_verified_at IS NOT NULL
        ON CONFLICT (for_sandboxes) WHERE for_sandboxes DO NOTHING
        """,
        application_id,
        app.developer_email,
        app.name,
        f"{app.slug}-{application_id.hex[-8:]}",
        msgspec.json.encode(app.description).decode(),
        msgspec.json.encode(app.links).decode(),
        since,
        msgspec.json.encode([content.APPLICATION_METHOD.name]).decode(),
    )
    if made == "INSERT 0 1":
        await replace_scopes(conn, application_id, [RequestedScope(*scope) for scope in app.scopes])
        await update_approved(conn, application_id, await insert_version(conn, application_id))
        return application_id
    other = await _find_application(conn)
    if other is None:
        raise RuntimeError("the application that is made for sandboxes was deleted meanwhile")
    return other


async def _find_application(conn: Connection) -> UUID | None:
    application_id: UUID | None = await conn.fetchval("SELECT id FROM applications WHERE for_sandboxes")
    return application_id
