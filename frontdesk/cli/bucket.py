"""The bucket, for commands: its store, and files in it, which are called bucket:NAME."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

import click

from frontdesk.config import Settings
from frontdesk.errors import StartupError
from frontdesk.net.dns import DnsResolver
from frontdesk.runtime.async_stop_signals import run_async
from frontdesk.server.database import print_status
from frontdesk.storage.files import download_file, has_file, upload_file
from frontdesk.storage.store import ObjectStore, StorageFailed, open_store

T = TypeVar("T")
_MARK = "bucket:"


class FileToRead(click.Path):
    """An existing file, or one in the bucket."""

    def __init__(self) -> None:
        super().__init__(exists=True, dir_okay=False, path_type=Path)

    def convert(
        self, value: str | PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> str | bytes | PathLike[str]:
        return Path(value) if str(value).startswith(_MARK) else super().convert(value, param, ctx)


@asynccontextmanager
async def open_bucket(settings: Settings) -> AsyncIterator[ObjectStore]:
    async with optional_bucket(settings) as store:
        if store is None:
            raise StartupError("there is no bucket: set FRONTDESK_STORAGE_ENDPOINT and the settings beside it")
        yield store


@asynccontextmanager
async def optional_bucket(settings: Settings) -> AsyncIterator[ObjectStore | None]:
    """A failure of the storage is reported in one line."""
    store = open_store(settings.storage, DnsResolver()) if settings.storage else None
    try:
        yield store
    except StorageFailed as error:
        raise StartupError(str(error)) from error
    finally:
        if store is not None:
            await store.close()


@contextmanager
def file_to_write(file: Path, settings: Settings) -> Iterator[Path]:
    """A file on this machine. What belongs in the bucket is sent there at the end, if nothing failed."""
    name = _name_in_bucket(file)
    if name is None:
        yield file
        return
    if _in_bucket(settings, lambda store: has_file(store, name)):
        raise StartupError(f"{file} already exists: choose another name")
    with TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        yield path
        print_status(f"sending {path.stat().st_size:,} bytes to the bucket")
        _in_bucket(settings, lambda store: upload_file(store, name, path))


@contextmanager
def file_to_read(file: Path, settings: Settings) -> Iterator[Path]:
    name = _name_in_bucket(file)
    if name is None:
        yield file
        return
    with TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        print_status(f"fetching {file}")
        _in_bucket(settings, lambda store: download_file(store, name, path))
        yield path


def _name_in_bucket(file: Path) -> str | None:
    if not str(file).startswith(_MARK):
        return None
    name = str(file).removeprefix(_MARK).strip("/")
    if not name:
        raise StartupError(f"{file} has no name: write bucket:NAME")
    return name


def _in_bucket(settings: Settings, work: Callable[[ObjectStore], Awaitable[T]]) -> T:
    async def run() -> T:
        async with open_bucket(settings) as store:
            return await work(store)

    return run_async(run())
