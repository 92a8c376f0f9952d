"""Objects and files in a bucket, and storage that refuses, fails or does not answer."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest

from frontdesk.config_storage import StorageSettings
from frontdesk.net.dns import DnsResolver
from frontdesk.net.outbound_http import OutboundClient
from frontdesk.storage.files import download_file, has_file, upload_file
from frontdesk.storage.store import ObjectMissing, ObjectStore, StorageFailed, open_store
from tests.support.clock import Clock

_PART = 5 * 1024 * 1024  # the smallest that S3 accepts


def store_at(endpoint: str, clock: Clock) -> ObjectStore:
    settings = StorageSettings(endpoint, "desk", "key", "secret")
    return ObjectStore(settings, OutboundClient(DnsResolver().resolve, allow_private=True), clock)


@asynccontextmanager
async def answering(*answers: bytes) -> AsyncIterator[str]:
    """The address of a server that gives one answer to each request."""
    left = list(answers)

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(left.pop(0))
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    assert left == []


async def test_objects_are_put_listed_read_and_removed(store: ObjectStore) -> None:
    keys = [f"listed/a b&{number}" for number in range(5)]
    for key in keys:
        await store.put(key, key.encode(), "text/plain")
    assert [key async for key in store.list_keys("listed/", at_once=2)] == keys
    assert await store.get(keys[3]) == keys[3].encode()
    await store.delete(keys[3])
    await store.delete(keys[3])
    with pytest.raises(ObjectMissing):
        await store.get(keys[3])


async def test_a_refusal_says_what_to_do(bucket: StorageSettings) -> None:
    elsewhere = open_store(msgspec.structs.replace(bucket, bucket="not-there"), DnsResolver())
    with pytest.raises(StorageFailed, match="check FRONTDESK_STORAGE_BUCKET"):
        await elsewhere.put("key", b"", "text/plain")
    await elsewhere.close()
    denied = b"<Error><Code>SignatureDoesNotMatch</Code></Error>"
    async with answering(b"HTTP/1.1 403 F\r\ncontent-length: %d\r\n\r\n%s" % (len(denied), denied)) as address:
        with pytest.raises(StorageFailed, match="check FRONTDESK_STORAGE_ACCESS_KEY"):
            await store_at(address, Clock()).get("key")


async def test_what_fails_for_a_moment_is_repeated_once() -> None:
    busy, done = b"HTTP/1.1 503 S\r\ncontent-length: 0\r\n\r\n", b"HTTP/1.1 200 O\r\ncontent-length: 2\r\n\r\nok"
    async with answering(busy, done, busy, busy) as address:
        store = store_at(address, Clock())
        assert await store.get("key") == b"ok"
        with pytest.raises(StorageFailed, match="status 503"):
            await store.get("key")


async def test_storage_that_does_not_answer_is_left_alone_for_a_while(dead_endpoint: str) -> None:
    clock = Clock()
    store = store_at(dead_endpoint, clock)
    for seconds, reason in ((0, "does not answer"), (4, "a moment ago"), (2, "does not answer")):
        clock.forward(seconds)
        with pytest.raises(StorageFailed, match=reason):
            await store.get("key")


async def test_storage_that_never_answers_ends_in_time() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        store = store_at(f"http://127.0.0.1:{silent.getsockname()[1]}", Clock())
        with pytest.raises(StorageFailed, match="no answer within"):
            await store.send("GET", "key", seconds=0.1)


@pytest.mark.parametrize("size", [10, 2 * _PART + 10], ids=["one part", "three parts"])
async def test_a_file_is_stored_in_parts_and_fetched_again(store: ObjectStore, tmp_path: Path, size: int) -> None:
    sent, fetched, name = tmp_path / "sent", tmp_path / "fetched", f"backup-{size}"
    sent.write_bytes(bytes(range(256)) * (size // 256) + bytes(size % 256))
    assert not await has_file(store, name)
    await upload_file(store, name, sent, _PART)
    assert await has_file(store, name)
    await download_file(store, name, fetched, _PART)
    assert fetched.read_bytes() == sent.read_bytes()


async def test_an_upload_that_fails_leaves_no_object(store: ObjectStore, tmp_path: Path) -> None:
    sent = tmp_path / "sent"
    sent.write_bytes(bytes(300))
    with pytest.raises(StorageFailed, match="EntityTooSmall"):
        await upload_file(store, "small-parts", sent, 100)
    assert not await has_file(store, "small-parts")
