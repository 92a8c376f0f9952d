"""Statements for pictures."""

from typing import NamedTuple
from uuid import UUID

from frontdesk.pictures.encode import EncodedPicture
from frontdesk.postgres.batched_delete import delete_batch
from frontdesk.postgres.pool import Connection


class PictureFile(NamedTuple):
    media_type: str
    content: bytes


async def insert_picture(conn: Connection, tenant_id: UUID, picture_id: UUID, picture: EncodedPicture) -> None:
    await conn.execute(
        """
        INSERT INTO pictures (tenant_id, id, media_type, width, height, content, thumbnail, expires_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, now() + interval '1 day')
        """,
        tenant_id,
        picture_id,
        *picture,
    )


async def find_picture(conn: Connection, tenant_id: UUID, picture_id: UUID, *, small: bool) -> PictureFile | None:
    row = await conn.fetchrow(
        """
        SELECT media_type, CASE WHEN $3 THEN thumbnail ELSE content END AS content
        FROM pictures WHERE tenant_id = $1 AND id = $2
          AND EXISTS (SELECT FROM tenants WHERE id = $1 AND deleted_at IS NULL)
        """,
        tenant_id,
        picture_id,
        small,
    )
    return None if row is None else PictureFile(row["media_type"], row["content"])


async def delete_expired_pictures(conn: Connection, limit: int) -> int:
    return await delete_batch(conn, "pictures", "expires_at < now()", limit)
