"""Deleting or changing many rows in short transactions."""

import asyncpg

from frontdesk.postgres.pool import Connection


async def delete_batch(conn: Connection, table: str, condition: str, limit: int) -> int:
    """Deletes at most `limit` rows that satisfy the condition, in one statement. Returns the number of deleted rows."""
    return await _run(conn, f"DELETE FROM {table}", table, condition, limit)


async def update_batch(conn: Connection, table: str, assignments: str, condition: str, limit: int) -> int:
    """As `delete_batch`. After the change a row must not satisfy the condition any more."""
    return await _run(conn, f"UPDATE {table} SET {assignments}", table, condition, limit)


async def _run(conn: Connection, command: str, table: str, condition: str, limit: int) -> int:
    """Skips rows that another transaction has locked. `condition` is constant SQL about the columns of the table.

    Citus cannot lock rows of several nodes first, so there one statement is about all of them.
    """
    try:
        done = await conn.execute(
            f"""
            {command} WHERE ctid = ANY (ARRAY(
                SELECT ctid FROM {table} WHERE {condition} LIMIT $1::integer FOR UPDATE SKIP LOCKED)) AND {condition}
            """,
            limit,
        )
    except asyncpg.FeatureNotSupportedError:
        done = await conn.execute(f"{command} WHERE {condition}")
    return int(done.split()[1])
