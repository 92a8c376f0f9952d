"""Statements for pictures in the bucket, for objects that perhaps no row refers to, and for moving pictures."""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from frontdesk.pictures.queries import BucketObject
from frontdesk.postgres.pool import Connection

FIRST = (UUID(int=0), UUID(int=0))  # before every business and picture


class DueObject(NamedTuple):
    tenant_id: UUID
    object_id: UUID
    due_at: datetime


class DatabasePicture(NamedTuple):
    tenant_id: UUID
    id: UUID
    media_type: str
    content: bytes
    thumbnail: bytes


class BucketPicture(NamedTuple):
    tenant_id: UUID
    id: UUID
    object: BucketObject


async def check_object_later(conn: Connection, tenant_id: UUID, object_id: UUID) -> None:
    """Written before the object is, so that it is found if no row comes to refer to it."""
    await conn.execute(
        """
        INSERT INTO objects_to_check (tenant_id, object_id) VALUES ($1, $2)
        ON CONFLICT (tenant_id, object_id) DO UPDATE SET due_at = excluded.due_at
        """,
        tenant_id,
        object_id,
    )


async def list_due_objects(conn: Connection, limit: int) -> list[DueObject]:
    rows = await conn.fetch(
        """
        SELECT tenant_id, object_id, due_at FROM objects_to_check WHERE due_at < now() ORDER BY due_at LIMIT $1
        """,
        limit,
    )
    return [DueObject(*row) for row in rows]


async def is_object_used(conn: Connection, tenant_id: UUID, object_id: UUID) -> bool:
    found = await conn.fetchval(
        "SELECT EXISTS (SELECT 1 FROM pictures WHERE tenant_id = $1 AND object_id = $2)", tenant_id, object_id
    )
    return bool(found)


async def forget_object(conn: Connection, checked: DueObject) -> None:
    """Unless a row that refers to it has gone since: then it is due again at another time."""
    await conn.execute("DELETE FROM objects_to_check WHERE tenant_id = $1 AND object_id = $2 AND due_at = $3", *checked)


async def count_pictures(conn: Connection, tenant_id: UUID | None, *, in_bucket: bool) -> int:
    found: int = await conn.fetchval(
        """
        SELECT count(*) FROM pictures
        WHERE (object_id IS NOT NULL) = $2 AND ($1::uuid IS NULL OR tenant_id = $1)
        """,
        tenant_id,
        in_bucket,
    )
    return found


async def list_database_pictures(
    conn: Connection, tenant_id: UUID | None, after: tuple[UUID, UUID], limit: int
) -> list[DatabasePicture]:
    rows = await conn.fetch(
        """
        SELECT tenant_id, id, media_type, content, thumbnail FROM pictures
        WHERE object_id IS NULL AND ($1::uuid IS NULL OR tenant_id = $1) AND (tenant_id, id) > ($2, $3)
        ORDER BY tenant_id, id LIMIT $4
        """,
        tenant_id,
        *after,
        limit,
    )
    return [DatabasePicture(*row) for row in rows]


async def list_bucket_pictures(
    conn: Connection, tenant_id: UUID | None, after: tuple[UUID, UUID] = FIRST, limit: int | None = None
) -> list[BucketPicture]:
    rows = await conn.fetch(
        """
        SELECT tenant_id, id, object_id, content_hash, thumbnail_hash FROM pictures
        WHERE object_id IS NOT NULL AND ($1::uuid IS NULL OR tenant_id = $1) AND (tenant_id, id) > ($2, $3)
        ORDER BY tenant_id, id LIMIT $4
        """,
        tenant_id,
        *after,
        limit,
    )
    return [BucketPicture(row[0], row[1], BucketObject(*row[2:])) for row in rows]


async def put_in_bucket(conn: Connection, tenant_id: UUID, picture_id: UUID, stored: BucketObject) -> None:
    await conn.execute(
        """
        UPDATE pictures SET content = NULL, thumbnail = NULL, object_id = $3, content_hash = $4, thumbnail_hash = $5
        WHERE tenant_id = $1 AND id = $2 AND object_id IS NULL
        """,
        tenant_id,
        picture_id,
        *stored,
    )


async def put_in_database(conn: Connection, picture: BucketPicture, content: bytes, thumbnail: bytes) -> None:
    await conn.execute(
        """
        UPDATE pictures SET content = $4, thumbnail = $5, object_id = NULL, content_hash = NULL, thumbnail_hash = NULL
        WHERE tenant_id = $1 AND id = $2 AND object_id = $3
        """,
        picture.tenant_id,
        picture.id,
        picture.object.id,
        content,
        thumbnail,
    )


async def list_bucket_tenants(conn: Connection) -> list[tuple[UUID, bool]]:
    """Every business, and whether it has pictures in the bucket."""
    rows = await conn.fetch(
        """
        SELECT t.id, EXISTS (SELECT 1 FROM pictures p WHERE p.tenant_id = t.id AND p.object_id IS NOT NULL)
        FROM tenants t ORDER BY t.id
        """
    )
    return [(row[0], row[1]) for row in rows]


async def list_used(conn: Connection, tenant_id: UUID) -> set[UUID]:
    rows = await conn.fetch(
        "SELECT DISTINCT object_id FROM pictures WHERE tenant_id = $1 AND object_id IS NOT NULL", tenant_id
    )
    return {row["object_id"] for row in rows}


async def list_checked(conn: Connection, tenant_id: UUID) -> set[UUID]:
    rows = await conn.fetch("SELECT object_id FROM objects_to_check WHERE tenant_id = $1", tenant_id)
    return {row["object_id"] for row in rows}
