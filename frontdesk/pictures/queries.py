"""Statements for pictures."""

from typing import NamedTuple
from uuid import UUID

from frontdesk.pictures.encode import EncodedPicture
from frontdesk.postgres.batched_delete import delete_batch
from frontdesk.postgres.pool import Connection


class BucketObject(NamedTuple):
    """Where a picture is that is not in the database."""

    id: UUID
    content_hash: bytes
    thumbnail_hash: bytes


class PictureRow(NamedTuple):
    media_type: str
    content: bytes | None  # None: in the bucket
    object_id: UUID | None
    hash: bytes | None


async def insert_picture(
    conn: Connection,
    tenant_id: UUID,
    picture_id: UUID,
    picture: EncodedPicture,
    stored: BucketObject | None,
    *,
    is_private: bool,
) -> None:
    await conn.execute(
        """
        INSERT INTO pictures (tenant_id, id, media_type, width, height, content, thumbnail, object_id, content_hash,
            thumbnail_hash, is_private, expires_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, now() + interval '1 day')
        """,
        tenant_id,
        picture_id,
        picture.media_type,
        picture.width,
        picture.height,
        *((picture.content, picture.thumbnail, None, None, None) if stored is None else (None, None, *stored)),
        is_private,
    )


async def find_picture(
    conn: Connection, tenant_id: UUID, picture_id: UUID, *, small: bool, is_private: bool = False
) -> PictureRow | None:
    """A private one only for callers that have checked who asks."""
    row = await conn.fetchrow(
        """
        SELECT media_type, CASE WHEN $3 THEN thumbnail ELSE content END, object_id,
               CASE WHEN $3 THEN thumbnail_hash ELSE content_hash END
        FROM pictures WHERE tenant_id = $1 AND id = $2 AND is_private = $4
          AND EXISTS (SELECT FROM tenants WHERE id = $1 AND deleted_at IS NULL)
        """,
        tenant_id,
        picture_id,
        small,
        is_private,
    )
    return None if row is None else PictureRow(*row)


async def delete_expired_pictures(conn: Connection, limit: int) -> int:
    """Their objects are checked later, so it does not matter that one of them may be shown in this moment."""
    await conn.execute(
        """
        INSERT INTO objects_to_check (tenant_id, object_id)
        SELECT DISTINCT tenant_id, object_id FROM pictures WHERE expires_at < now() AND object_id IS NOT NULL
        ON CONFLICT (tenant_id, object_id) DO NOTHING
        """
    )
    return await delete_batch(conn, "pictures", "expires_at < now()", limit)
