"""How much a database holds."""

from frontdesk.postgres.pool import Connection


async def count_rows(conn: Connection) -> dict[str, int]:
    """Of all businesses together."""
    row = await conn.fetchrow(
        """
        SELECT (SELECT count(*) FROM tenants WHERE deleted_at IS NULL) AS businesses,
               (SELECT count(*) FROM users) AS users, (SELECT count(*) FROM customers) AS customers,
               (SELECT count(*) FROM items) AS items, (SELECT count(*) FROM orders) AS orders,
               (SELECT count(*) FROM bookings) AS bookings, (SELECT count(*) FROM transactions) AS transactions,
               (SELECT count(*) FROM invoices) AS invoices, (SELECT count(*) FROM events) AS events,
               (SELECT count(*) FROM pictures) AS pictures
        """
    )
    return dict(row or {})
