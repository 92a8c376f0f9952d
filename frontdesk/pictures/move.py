"""Moves pictures between the database and the bucket, a few at a time, while the service runs. Each picture is in one
place or the other at any moment, so that a move that was interrupted goes on where it stopped.
"""

import asyncio
from collections.abc import Callable
from typing import NamedTuple
from uuid import UUID

from frontdesk.pictures.bucket import get_both, put_picture
from frontdesk.pictures.bucket_queries import (
    FIRST,
    check_object_later,
    list_bucket_pictures,
    list_database_pictures,
    put_in_bucket,
    put_in_database,
)
from frontdesk.postgres.pool import Connection
from frontdesk.storage.store import ObjectMissing, ObjectStore

_AT_ONCE = 8
Report = Callable[[int], None]


class Moved(NamedTuple):
    pictures: int
    missing: int  # objects that are not in the bucket


async def move_to_bucket(
    conn: Connection, store: ObjectStore, tenant_id: UUID | None, report: Report, at_once: int = _AT_ONCE
) -> Moved:
    """Of one business, or of all."""
    moved, after = 0, FIRST
    lock = asyncio.Lock()  # one connection, and several objects at a time

    async def announce(tenant_id: UUID, object_id: UUID) -> None:
        async with lock:
            await check_object_later(conn, tenant_id, object_id)

    while batch := await list_database_pictures(conn, tenant_id, after, at_once):
        stored = await asyncio.gather(
            *(put_picture(store, p.tenant_id, p.media_type, p.content, p.thumbnail, announce) for p in batch)
        )
        for picture, place in zip(batch, stored, strict=True):
            await put_in_bucket(conn, picture.tenant_id, picture.id, place)
        moved, after = moved + len(batch), (batch[-1].tenant_id, batch[-1].id)
        report(moved)
    return Moved(moved, 0)


async def move_to_database(
    conn: Connection, store: ObjectStore, tenant_id: UUID | None, report: Report, at_once: int = _AT_ONCE
) -> Moved:
    moved, missing, after = 0, 0, FIRST
    while batch := await list_bucket_pictures(conn, tenant_id, after, at_once):
        found = await asyncio.gather(
            *(get_both(store, picture.tenant_id, picture.object) for picture in batch), return_exceptions=True
        )
        for picture, both in zip(batch, found, strict=True):
            if isinstance(both, ObjectMissing):
                missing += 1
            elif isinstance(both, BaseException):
                raise both
            else:
                async with conn.transaction():
                    await put_in_database(conn, picture, *both)
                    await check_object_later(conn, picture.tenant_id, picture.object.id)
                moved += 1
        after = (batch[-1].tenant_id, batch[-1].id)
        report(moved)
    return Moved(moved, missing)
