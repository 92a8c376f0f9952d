"""Which statements the nodes of a cluster got, as their own logs say."""

import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import UUID

from frontdesk.postgres.pool import connect
from tests.support.servers.citus import socket_folder

_ENTRY = re.compile(r"^(?=\d{4}-\d\d-\d\d )", re.MULTILINE)
_RUN = re.compile(r" ms  (?:statement|execute [^:]*): (.*)", re.DOTALL)


class NodeLog:
    """What a node was sent since this object was made. What a function runs in its turn is not logged."""

    def __init__(self, address: str) -> None:
        self._path = Path(socket_folder(address)).parent / "postgres.log"
        self._begin = self._path.stat().st_size

    def statements(self, tenant_id: UUID) -> list[str]:
        """Those with the id of this business in their text or in their parameters."""
        with self._path.open("rb") as file:
            file.seek(self._begin)
            entries = _ENTRY.split(file.read().decode())
        return [
            found[1].strip()
            for entry, details in zip(entries, [*entries[1:], ""], strict=True)
            if (found := _RUN.search(entry)) and str(tenant_id) in entry + (details if "DETAIL:" in details else "")
        ]


@asynccontextmanager
async def logging_statements(addresses: Sequence[str]) -> AsyncIterator[None]:
    for address in addresses:
        await _configure(address, "ALTER SYSTEM SET log_min_duration_statement = 0")
    try:
        yield
    finally:
        for address in addresses:
            await _configure(address, "ALTER SYSTEM RESET log_min_duration_statement")


async def _configure(address: str, change: str) -> None:
    raw = await connect(address)
    await raw.execute(change)
    await raw.fetchval("SELECT pg_reload_conf()")
    await raw.close()
