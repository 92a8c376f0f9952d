"""Compares the bucket with the rows that refer to it: after a restore of one of them, or when in doubt."""

from collections.abc import AsyncIterator
from contextlib import suppress
from typing import NamedTuple
from uuid import UUID

from frontdesk.pictures.bucket import FOLDER, object_key
from frontdesk.pictures.bucket_queries import check_object_later, list_bucket_tenants, list_checked, list_used
from frontdesk.postgres.pool import Connection
from frontdesk.storage.store import ObjectStore

Keys = set[str]


class Compared(NamedTuple):
    used: int  # objects that rows refer to
    missing: list[str]  # keys of theirs that are not in the bucket
    unused: int  # objects that no row refers to, and that nobody was going to check


async def compare_bucket(conn: Connection, store: ObjectStore, *, remove: bool) -> Compared:
    """With `remove` the unused objects are removed in the background, an hour from now. Those of a business that this
    database does not know are left alone: another installation may use the bucket.
    """
    own = dict(await list_bucket_tenants(conn))
    total = Compared(0, [], 0)
    async for tenant_id, keys in _keys_by_tenant(store):
        if own.pop(tenant_id, None) is not None:
            total = await _compare(conn, store, tenant_id, keys, total, remove=remove)
    for tenant_id, has_objects in own.items():
        if has_objects:
            total = await _compare(conn, store, tenant_id, set(), total, remove=remove)
    return total


async def _compare(
    conn: Connection, store: ObjectStore, tenant_id: UUID, keys: Keys, total: Compared, *, remove: bool
) -> Compared:
    checked, used = await list_checked(conn, tenant_id), await list_used(conn, tenant_id)
    wanted = {object_key(tenant_id, object_id, small=small) for object_id in used for small in (False, True)}
    missing = [key for key in sorted(wanted - keys) if not [found async for found in store.list_keys(key)]]
    unused = {object_id for key in keys if (object_id := _object_id(key))} - used - checked
    if remove:
        for object_id in unused:
            await check_object_later(conn, tenant_id, object_id)
    return Compared(total.used + len(used), total.missing + missing, total.unused + len(unused))


async def _keys_by_tenant(store: ObjectStore) -> AsyncIterator[tuple[UUID, Keys]]:
    """The bucket lists its keys in their order, so those of a business follow one another."""
    folder, keys = "", set[str]()
    async for key in store.list_keys(FOLDER):
        if key.split("/")[1] != folder:
            for tenant_id in _ids(folder):
                yield tenant_id, keys
            folder, keys = key.split("/")[1], set()
        keys.add(key)
    for tenant_id in _ids(folder):
        yield tenant_id, keys


def _object_id(key: str) -> UUID | None:
    return next(iter(_ids(key.rpartition("/")[2].removesuffix(".small"))), None)


def _ids(text: str) -> list[UUID]:
    """One, or none if it is the name of something else."""
    with suppress(ValueError):
        return [UUID(text)]
    return []
