"""Storing an uploaded picture. It expires unless the act that shows it calls the database function `swap_picture`."""

import asyncio
from uuid import UUID, uuid4

from frontdesk.pictures.encode import EncodedPicture, encode_picture
from frontdesk.pictures.queries import insert_picture
from frontdesk.postgres.pool import Connection
from frontdesk.runtime.slow_work import PICTURES


async def encode_uploaded(owner: UUID, content: bytes) -> EncodedPicture:
    """`owner` is the business or the developer. In a thread, because it takes a tenth of a second of CPU time; a
    picture takes up to 350 MB while it is decoded. The caller holds no database connection.
    """
    async with PICTURES.turn(owner):
        return await asyncio.to_thread(encode_picture, content)


async def store_picture(conn: Connection, tenant_id: UUID, picture: EncodedPicture) -> UUID:
    """The id is random, because knowing it is enough to see the picture."""
    picture_id = uuid4()
    await insert_picture(conn, tenant_id, picture_id, picture)
    return picture_id
