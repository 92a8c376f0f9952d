"""Which tenants have something in a queue, where tenants are on different nodes."""

import random
from uuid import UUID

import asyncpg

from frontdesk.postgres.pool import Connection


async def list_queued_tenants(conn: Connection, table: str, condition: str) -> list[UUID]:
    """Those with rows for which the condition is true. In random order: the first may take all slots.

    Citus has no partial answers. While a node does not answer, each shard is asked by itself, so that the tenants of
    the others are found.
    """
    try:
        rows = await conn.fetch(f"SELECT DISTINCT tenant_id FROM {table} WHERE {condition}")
    except asyncpg.PostgresConnectionError:
        rows = await conn.fetch(
            """
            SELECT string_to_table(result, ' ')::uuid AS tenant_id
            FROM run_command_on_placements($1::regclass, $2) WHERE success
            """,
            table,
            f"SELECT string_agg(DISTINCT tenant_id::text, ' ') FROM %s WHERE {condition}",
        )
    found = [row["tenant_id"] for row in rows]
    random.shuffle(found)
    return found
