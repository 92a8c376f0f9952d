"""Deleting many rows in short transactions."""

from frontdesk.postgres.pool import Connection


async def delete_batch(conn: Connection, table: str, condition: str, limit: int) -> int:
    """Delete at most `most` rows for which the condition holds, in one statement. Returns how many were deleted.

    Rows that another transaction has locked are left for the next time. `condition` is SQL of ours about the table's
    own columns.
    """
    done = await conn.execute(
        f"""
        DELETE FROM {table} WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM {table} WHERE {condition} LIMIT $1::integer FOR UPDATE SKIP LOCKED)) AND {condition}
        """,
        limit,
    )
    return int(done.removeprefix("DELETE "))
