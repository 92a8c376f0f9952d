"""A server for a while, with files that are removed when it ends."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from frontdesk.postgres.embedded.files import POINTER
from frontdesk.postgres.embedded.server import EmbeddedPostgres

# Nothing is lost if it crashes.
_SETTINGS = {"synchronous_commit": "off", "full_page_writes": "off", "wal_level": "minimal", "max_wal_senders": "0"}


@contextmanager
def temporary_server(bin_dir: Path | None) -> Iterator[str]:
    """The address of its empty database."""
    folder = Path(tempfile.mkdtemp(prefix="frontdesk-"))
    server = EmbeddedPostgres(folder, bin_dir, _SETTINGS)
    try:
        yield server.start()
    finally:
        server.stop()
        pointer = folder / POINTER
        if pointer.is_symlink():
            shutil.rmtree(pointer.readlink())
        shutil.rmtree(folder)
