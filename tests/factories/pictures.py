"""Pictures of a business, which nothing shows yet."""

from uuid import UUID

from frontdesk.pictures.encode import EncodedPicture
from frontdesk.pictures.queries import BucketObject
from frontdesk.values.ids import uuid7
from tests.factories.tenant_rows import TenantRows

_DOT = EncodedPicture("image/png", 1, 1, b"x", b"x")


def picture_of(content: bytes) -> EncodedPicture:
    return EncodedPicture("image/png", 1, 1, content, content[:1])


async def insert_expired_picture(rows: TenantRows, place: BucketObject) -> None:
    """In the bucket."""
    await rows.sql(
        "INSERT INTO pictures (tenant_id, id, media_type, width, height, object_id, content_hash, thumbnail_hash, "
        "expires_at) VALUES ($1, $2, 'image/png', 1, 1, $3, $4, $5, now() - interval '1 s')",
        uuid7(),
        *place,
    )


async def insert_picture(rows: TenantRows, picture: EncodedPicture = _DOT, *, is_private: bool = False) -> UUID:
    id_ = uuid7()
    await rows.sql(
        "INSERT INTO pictures (tenant_id, id, media_type, width, height, content, thumbnail, is_private) "
        "VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        id_,
        *picture,
        is_private,
    )
    return id_
