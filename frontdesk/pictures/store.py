"""Storing and showing pictures, wherever they are. A stored one expires unless the act that shows it calls the database
function `swap_picture`.
"""

import asyncio
from uuid import UUID, uuid4

import structlog

from frontdesk.pictures.bucket import Announce, get_picture, put_picture
from frontdesk.pictures.encode import EncodedPicture, encode_picture
from frontdesk.pictures.problems import PictureProblem
from frontdesk.pictures.queries import BucketObject, PictureRow, insert_picture
from frontdesk.postgres.pool import Connection
from frontdesk.problems import Problem
from frontdesk.runtime.slow_work import PICTURES
from frontdesk.storage.store import ObjectStore, StorageFailed

_RETRY_SECONDS = 5
_log = structlog.get_logger("frontdesk.pictures")


async def encode_uploaded(owner: UUID, content: bytes) -> EncodedPicture:
    """`owner` is the business or the developer. In a thread, because it takes a tenth of a second of CPU time; a
    picture takes up to 350 MB while it is decoded. The caller holds no database connection.
    """
    async with PICTURES.turn(owner):
        return await asyncio.to_thread(encode_picture, content)


async def put_uploaded(
    store: ObjectStore, tenant_id: UUID, picture: EncodedPicture, announce: Announce
) -> BucketObject:
    """The caller holds no database connection. Raises a problem of the field if the bucket does not take it."""
    try:
        return await put_picture(store, tenant_id, picture.media_type, picture.content, picture.thumbnail, announce)
    except StorageFailed as error:
        _log.warning("picture not stored", reason=str(error))
        raise Problem(PictureProblem.NOT_SAVED, "picture") from error


async def store_picture(
    conn: Connection,
    tenant_id: UUID,
    picture: EncodedPicture,
    stored: BucketObject | None = None,
    *,
    is_private: bool = False,
) -> UUID:
    """`stored` is where it is in the bucket. The id is random, because knowing it is enough to see the picture, unless
    it is private.
    """
    picture_id = uuid4()
    await insert_picture(conn, tenant_id, picture_id, picture, stored, is_private=is_private)
    return picture_id


async def read_content(store: ObjectStore | None, tenant_id: UUID, picture: PictureRow, *, small: bool) -> bytes:
    """The caller holds no database connection."""
    if picture.content is not None:
        return picture.content
    reason = "it is in a bucket: set FRONTDESK_STORAGE_ENDPOINT"
    if store is not None and picture.object_id is not None and picture.hash is not None:
        try:
            return await get_picture(store, tenant_id, picture.object_id, picture.hash, small=small)
        except StorageFailed as error:
            reason = str(error)
    _log.warning("picture not shown", reason=reason)
    raise Problem(PictureProblem.UNAVAILABLE, seconds=_RETRY_SECONDS)
