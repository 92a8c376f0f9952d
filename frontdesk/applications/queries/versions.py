"""Queries for versions of applications. Callers hold the lock of the application."""

from uuid import UUID

import msgspec

from frontdesk.applications.queries.applications import LISTING
from frontdesk.applications.versions import VersionedListing
from frontdesk.postgres.pool import Connection


async def insert_version(conn: Connection, application_id: UUID) -> int:
    """Stores a copy of the current record."""
    version: int = await conn.fetchval(
        f"""
        INSERT INTO application_versions AS stored (application_id, version, listing)
        SELECT a.id, coalesce((SELECT max(v.version) FROM application_versions v WHERE v.application_id = a.id), 0) + 1,
               {LISTING} - 'version'
        FROM applications a WHERE a.id = $1 RETURNING stored.version
        """,
        application_id,
    )
    return version


async def find_version(conn: Connection, application_id: UUID, version: int | None) -> VersionedListing | None:
    text = await conn.fetchval(
        "SELECT listing::text FROM application_versions WHERE application_id = $1 AND version = $2",
        application_id,
        version,
    )
    return None if text is None else msgspec.json.decode(text, type=VersionedListing)


async def is_unchanged_since(conn: Connection, application_id: UUID, version: int) -> bool:
    """Whether the record is unchanged since this version."""
    same: bool | None = await conn.fetchval(
        f"""
        SELECT v.listing = {LISTING} - 'version'
        FROM applications a JOIN application_versions v ON v.application_id = a.id AND v.version = $2 WHERE a.id = $1
        """,
        application_id,
        version,
    )
    return bool(same)


async def update_submitted(conn: Connection, application_id: UUID, version: int | None) -> None:
    await conn.execute("UPDATE applications SET submitted_version = $2 WHERE id = $1", application_id, version)


async def update_approved(conn: Connection, application_id: UUID, version: int) -> None:
    await conn.execute("UPDATE applications SET approved_version = $2 WHERE id = $1", application_id, version)


async def delete_unused_pictures(conn: Connection, application_id: UUID) -> None:
    """Deletes removed pictures that neither the submitted nor the approved version contains."""
    await conn.execute(
        """
        DELETE FROM application_pictures p USING applications a
        WHERE a.id = $1 AND p.application_id = $1 AND p.removed_at IS NOT NULL AND NOT EXISTS (
            SELECT FROM application_versions v, jsonb_array_elements(v.listing -> 'pictures') AS shown
            WHERE v.application_id = $1 AND v.version IN (a.submitted_version, a.approved_version)
              AND shown ->> 'id' = p.id::text)
        """,
        application_id,
    )
