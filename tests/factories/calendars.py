"""Calendar feeds."""

from uuid import UUID

from frontdesk.values.ids import uuid7
from tests.factories.tenant_rows import TenantRows


async def make_feed(rows: TenantRows, *, staff_id: UUID | None = None, branch_id: UUID | None = None) -> None:
    """Its secret is not one: the feed has a page, but cannot be read."""
    feed_id = uuid7()
    await rows.sql(
        "INSERT INTO calendar_feeds (tenant_id, id, staff_id, branch_id, secret_hash, secret, language) "
        "VALUES ($1, $2, $3, $4, $5, $5, 'en')",
        feed_id,
        staff_id,
        branch_id,
        feed_id.bytes,
    )
