"""Statements about the erasure of deleted businesses."""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from frontdesk.postgres.pool import Connection

BATCH = 1000  # rows; some tens of milliseconds


class Erasure(NamedTuple):
    tenant_id: UUID
    name: str
    erased_rows: int
    started_at: datetime


async def list_erasures(conn: Connection) -> list[Erasure]:
    """Those that are not finished, the oldest first."""
    rows = await conn.fetch(
        """
        SELECT e.tenant_id, t.name, e.erased_rows, e.started_at
        FROM tenant_erasures e JOIN tenants t ON t.id = e.tenant_id
        WHERE e.finished_at IS NULL ORDER BY e.started_at
        """
    )
    return [Erasure(*row) for row in rows]


async def erase_batch(conn: Connection, tenant_id: UUID, limit: int = BATCH) -> bool:
    """Whether more is left."""
    more: bool = await conn.fetchval("SELECT erase_tenant_batch($1, $2)", tenant_id, limit)
    return more
