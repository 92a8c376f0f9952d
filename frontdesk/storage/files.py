"""Whole files in the bucket, such as backups: sent and fetched in parts, so that a part fits into memory and a single
request never takes long.
"""

import asyncio
import html
import re
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from frontdesk.storage.store import ObjectStore, StorageFailed

FOLDER = "files/"
PART_BYTES = 32 * 1024 * 1024  # at most 10,000 parts of an object, so 320 GB
_PART_SECONDS = 300.0
_UPLOAD_ID = re.compile(rb"<UploadId>([^<]+)</UploadId>")
_RANGE = re.compile(r"bytes (\d+)-(\d+)/(\d+)")


async def has_file(store: ObjectStore, name: str) -> bool:
    return f"{FOLDER}{name}" in [key async for key in store.list_keys(f"{FOLDER}{name}")]


async def upload_file(store: ObjectStore, name: str, path: Path, part_bytes: int = PART_BYTES) -> None:
    """The object appears when the last part is there."""
    key = f"{FOLDER}{name}"
    with path.open("rb") as file:
        first = await asyncio.to_thread(file.read, part_bytes)
        if len(first) < part_bytes:
            await store.send("PUT", key, body=first, seconds=_PART_SECONDS)
            return
        answer = await store.send("POST", key, query={"uploads": ""})
        found = _UPLOAD_ID.search(answer.body)
        if found is None:
            raise StorageFailed("the storage did not begin the upload")
        upload = {"uploadId": html.unescape(found[1].decode())}
        try:
            await _upload_parts(store, key, upload, file, first, part_bytes)
        except BaseException:
            with suppress(StorageFailed):
                await store.send("DELETE", key, query=upload)  # else the parts stay, invisible, and cost money
            raise


async def _upload_parts(
    store: ObjectStore, key: str, upload: dict[str, str], file: BinaryIO, part: bytes, part_bytes: int
) -> None:
    etags: list[str] = []
    while part:
        query = {**upload, "partNumber": str(len(etags) + 1)}
        answer = await store.send("PUT", key, body=part, query=query, seconds=_PART_SECONDS)
        etags.append(answer.headers.get("etag", ""))
        part = await asyncio.to_thread(file.read, part_bytes)
    listed = "".join(
        f"<Part><PartNumber>{number}</PartNumber><ETag>{html.escape(etag)}</ETag></Part>"
        for number, etag in enumerate(etags, 1)
    )
    body = f"<CompleteMultipartUpload>{listed}</CompleteMultipartUpload>".encode()
    answer = await store.send("POST", key, body=body, query=upload, seconds=_PART_SECONDS)
    if b"<Error>" in answer.body:  # the status was sent before the parts were joined
        raise StorageFailed("the storage could not join the parts of the file")


async def download_file(store: ObjectStore, name: str, path: Path, part_bytes: int = PART_BYTES) -> None:
    """All parts are of one version of the object, also if another one is written meanwhile."""
    done, size = 0, 1
    version: dict[str, str] = {}
    with path.open("wb") as file:
        while done < size:
            wanted = {"range": f"bytes={done}-{done + part_bytes - 1}", **version}
            answer = await store.send("GET", f"{FOLDER}{name}", wanted, max_bytes=part_bytes, seconds=_PART_SECONDS)
            found = _RANGE.fullmatch(answer.headers.get("content-range", ""))
            if found is None or int(found[1]) != done or len(answer.body) != int(found[2]) - done + 1:
                raise StorageFailed("the storage did not send the part that was asked for")
            await asyncio.to_thread(file.write, answer.body)
            done, size = int(found[2]) + 1, int(found[3])
            version = {"if-match": answer.headers.get("etag", "")}
