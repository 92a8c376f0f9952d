"""The stored documents of orders, which `functions/publish_order.sql` writes. Of all tenants."""

from frontdesk.postgres.batched_delete import delete_batch
from frontdesk.postgres.pool import Connection


async def delete_old_documents(conn: Connection, limit: int) -> int:
    """Most orders are read soon after an act. Later their documents are rendered."""
    return await delete_batch(conn, "order_documents", "rendered_at < now() - interval '7 days'", limit)
