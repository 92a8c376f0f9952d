"""Bulk inserts without triggers and foreign keys."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from frontdesk.postgres.pool import Connection


@asynccontextmanager
async def triggers_disabled(conn: Connection) -> AsyncIterator[None]:
    await conn.execute("SET session_replication_role = replica")
    yield
    await conn.execute("RESET session_replication_role")
