"""Removes objects from the bucket that no row refers to, in the background."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import structlog

from frontdesk.pictures.bucket import remove_picture
from frontdesk.pictures.bucket_queries import forget_object, is_object_used, list_due_objects
from frontdesk.postgres.pool import Pool
from frontdesk.postgres.sending import held_since
from frontdesk.postgres.supervise import record_success, supervise
from frontdesk.storage.store import ObjectStore, StorageFailed

BATCH = 200
_INTERVAL_SECONDS = 300.0
_log = structlog.get_logger("frontdesk.pictures")


@asynccontextmanager
async def removing_unused(database: Pool, store: ObjectStore) -> AsyncIterator[None]:
    """Closes the store at the end. Several processes may do it: to remove an object twice does no harm."""
    running = supervise("unused objects", partial(_remove_again_and_again, database, store))
    try:
        yield
    finally:
        await running.stop()
        await store.close()


async def _remove_again_and_again(database: Pool, store: ObjectStore) -> None:
    while True:
        await asyncio.sleep(_INTERVAL_SECONDS * random.uniform(0.5, 1.0))  # noqa: S311 - jitter, so that processes do not run together
        try:
            await remove_unused(database, store)
        except StorageFailed as error:
            _log.warning("objects not removed", reason=str(error))
        record_success()


async def remove_unused(database: Pool, store: ObjectStore, limit: int = BATCH) -> None:
    """A restored copy removes nothing: its objects are those of the original."""
    while True:
        async with database.connection() as conn:
            if await held_since(conn) is not None:
                return
            due = await list_due_objects(conn, limit)
        for checked in due:
            async with database.connection() as conn:
                is_used = await is_object_used(conn, checked.tenant_id, checked.object_id)
            if not is_used:
                await remove_picture(store, checked.tenant_id, checked.object_id)
            async with database.connection() as conn:
                await forget_object(conn, checked)
        if len(due) < limit:
            return
