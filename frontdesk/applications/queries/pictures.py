"""Queries for pictures of applications."""

from typing import NamedTuple
from uuid import UUID

from frontdesk.applications.types import Picture
from frontdesk.postgres.pool import Connection


class PictureContent(NamedTuple):
    media_type: str
    content: bytes


async def insert_picture(
    conn: Connection, application_id: UUID, picture: Picture, file: PictureContent, max_count: int
) -> bool:
    """False if the maximum number for that role is reached."""
    return await conn.execute_one(
        """
        INSERT INTO application_pictures (id, application_id, role, width, height, alt_text, media_type, content)
        SELECT $1, $2, $3, $4, $5, $6, $7, $8
        WHERE (SELECT count(*) FROM application_pictures WHERE application_id = $2 AND role = $3
               AND removed_at IS NULL) < $9::integer
        ON CONFLICT (id) DO NOTHING
        """,
        picture.id,
        application_id,
        picture.role,
        picture.width,
        picture.height,
        picture.alt_text,
        file.media_type,
        file.content,
        max_count,
    )


async def delete_icons(conn: Connection, application_id: UUID) -> None:
    await conn.execute(
        """
        UPDATE application_pictures SET removed_at = now()
        WHERE application_id = $1 AND role = 'icon' AND removed_at IS NULL
        """,
        application_id,
    )


async def mark_picture_removed(conn: Connection, application_id: UUID, picture_id: UUID) -> bool:
    """Removes it from the record. Versions that contain it keep it."""
    return await conn.execute_one(
        """
        UPDATE application_pictures SET removed_at = now()
        WHERE application_id = $1 AND id = $2 AND removed_at IS NULL
        """,
        application_id,
        picture_id,
    )


async def find_picture(
    conn: Connection, tenant_id: UUID | None, user_id: UUID, picture_id: UUID, *, is_operator: bool
) -> PictureContent | None:
    """Visible to the developer and to operators, and to a tenant if the version that it sees contains the picture."""
    row = await conn.fetchrow(
        """
        SELECT p.media_type, p.content FROM application_pictures p JOIN applications a ON a.id = p.application_id
        WHERE p.id = $3 AND (
            a.developer_id = $2 OR $4
            OR EXISTS (SELECT FROM developers d WHERE d.user_id = a.developer_id AND d.sandbox_id = $1)
            OR EXISTS (
                SELECT FROM application_versions v, jsonb_array_elements(v.listing -> 'pictures') AS shown
                WHERE v.application_id = a.id AND v.version = a.approved_version AND shown ->> 'id' = p.id::text)
            AND (a.status <> 'suspended'
                 OR EXISTS (SELECT FROM installs i WHERE i.tenant_id = $1 AND i.application_id = a.id)))
        """,
        tenant_id,
        user_id,
        picture_id,
        is_operator,
    )
    return None if row is None else PictureContent(*row)
