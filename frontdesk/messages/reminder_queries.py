"""Queues the reminders of all businesses, a few businesses at a time."""

from uuid import UUID

from frontdesk.postgres.pool import Connection

CHECK_SECONDS = 30
_BUSINESSES = 200


async def queue_reminders(conn: Connection) -> int:
    """Of the businesses that were not checked for a while. Returns how many businesses were."""
    await conn.execute(
        """
        INSERT INTO reminder_progress (tenant_id, starts_until, checked_at)
        SELECT n.id, now(), '-infinity' FROM tenants n
        WHERE NOT EXISTS (SELECT FROM reminder_progress g WHERE g.tenant_id = n.id) AND n.deleted_at IS NULL
        ON CONFLICT DO NOTHING
        """
    )
    rows = await conn.fetch(
        """
        SELECT g.tenant_id FROM reminder_progress g JOIN tenants n ON n.id = g.tenant_id AND n.clock_ahead IS NULL
        WHERE g.checked_at < now() - make_interval(secs => $1) ORDER BY g.checked_at LIMIT $2
        """,
        CHECK_SECONDS,
        _BUSINESSES,
    )
    for row in rows:
        await conn.execute("SELECT queue_reminders($1)", row["tenant_id"])
    return len(rows)


async def queue_reminders_of(conn: Connection, tenant_id: UUID) -> None:
    """Of one business, a sandbox with a time of its own; unless it was checked a moment ago."""
    await conn.execute(
        """
        SELECT queue_reminders(tenant_id) FROM reminder_progress
        WHERE tenant_id = $1 AND checked_at < now() - make_interval(secs => $2)
        """,
        tenant_id,
        CHECK_SECONDS,
    )
