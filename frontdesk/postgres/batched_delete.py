"""Deleting many rows in short transactions."""

import asyncpg

from frontdesk.postgres.pool import Connection


async def delete_batch(conn: Connection, table: str, condition: str, limit: int) -> int:
    """Deletes at most `limit` rows that satisfy the condition, in one statement. Returns the number of deleted rows.

    Skips rows that another transaction has locked. `condition` is constant SQL about the columns of the table.
    Citus cannot lock rows of several nodes first, so there one statement deletes all of them.
    """
    try:
        done = await conn.execute(
            f"""
            DELETE FROM {table} WHERE ctid = ANY (ARRAY(
                SELECT ctid FROM {table} WHERE {condition} LIMIT $1::integer FOR UPDATE SKIP LOCKED)) AND {condition}
            """,
            limit,
        )
    except asyncpg.FeatureNotSupportedError:
        done = await conn.execute(f"DELETE FROM {table} WHERE {condition}")
    return int(done.removeprefix("DELETE "))
