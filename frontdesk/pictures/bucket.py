"""Pictures in the bucket: each is two objects, whose name is new and never used again.

So an object that no row refers to will never be referred to, and can be removed without a lock. What is written is
first entered into `objects_to_check`: if no row comes to refer to it, it is removed like one whose row has gone.
"""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable
from uuid import UUID, uuid4

from frontdesk.pictures.queries import BucketObject
from frontdesk.storage.store import ObjectStore, StorageFailed

FOLDER = "pictures/"
Announce = Callable[[UUID, UUID], Awaitable[None]]


def object_key(tenant_id: UUID, object_id: UUID, *, small: bool) -> str:
    return f"{FOLDER}{tenant_id}/{object_id}{'.small' if small else ''}"


async def put_picture(
    store: ObjectStore, tenant_id: UUID, media_type: str, content: bytes, thumbnail: bytes, announce: Announce
) -> BucketObject:
    """`announce` commits that the object is to be checked later."""
    object_id = uuid4()
    await announce(tenant_id, object_id)
    await asyncio.gather(
        store.put(object_key(tenant_id, object_id, small=False), content, media_type),
        store.put(object_key(tenant_id, object_id, small=True), thumbnail, media_type),
    )
    return BucketObject(object_id, _hash(content), _hash(thumbnail))


async def get_picture(store: ObjectStore, tenant_id: UUID, object_id: UUID, expected: bytes, *, small: bool) -> bytes:
    key = object_key(tenant_id, object_id, small=small)
    content = await store.get(key)
    if _hash(content) != expected:
        raise StorageFailed(f"the object {key} is not the one that was stored")
    return content


async def get_both(store: ObjectStore, tenant_id: UUID, stored: BucketObject) -> tuple[bytes, bytes]:
    return (
        await get_picture(store, tenant_id, stored.id, stored.content_hash, small=False),
        await get_picture(store, tenant_id, stored.id, stored.thumbnail_hash, small=True),
    )


async def remove_picture(store: ObjectStore, tenant_id: UUID, object_id: UUID) -> None:
    for small in (True, False):
        await store.delete(object_key(tenant_id, object_id, small=small))


def _hash(content: bytes) -> bytes:
    return hashlib.sha256(content).digest()
