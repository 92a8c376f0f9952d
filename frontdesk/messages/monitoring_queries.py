"""Statements for the metrics: how many messages wait, and for how long."""

from frontdesk.postgres.pool import Connection


async def count_due(conn: Connection) -> tuple[int, float]:
    """The number of due messages to customers, members and users of all tenants, and the age of the oldest in seconds.

    One statement for each table, because they may be on different nodes.
    """
    count, oldest = 0, 0.0
    for sql in (
        """
        SELECT count(*) AS count, coalesce(extract(epoch FROM now() - min(due_at)), 0)::float8 AS oldest
        FROM messages WHERE state = 'due' AND due_at <= now() AND tenant_id IS NOT NULL
        """,
        """
        SELECT count(*) AS count, coalesce(extract(epoch FROM now() - min(due_at)), 0)::float8 AS oldest
        FROM notifications WHERE state = 'due' AND due_at <= now() AND tenant_id IS NOT NULL
        """,
        """
        SELECT count(*) AS count, coalesce(extract(epoch FROM now() - min(due_at)), 0)::float8 AS oldest
        FROM account_messages WHERE state = 'due' AND due_at <= now()
        """,
    ):
        row = await conn.fetchrow(sql)
        if row is not None:
            count, oldest = count + row["count"], max(oldest, row["oldest"])
    return count, oldest
