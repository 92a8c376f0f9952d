"""Calendar feeds, and calendars elsewhere."""

from collections.abc import Sequence
from uuid import UUID

from frontdesk.postgres.pool import Connection
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


async def copy_external_calendar(rows: TenantRows, staff_ids: Sequence[UUID]) -> None:
    """They have the calendar that another one has, and it is due."""
    await rows.sql(
        """
        INSERT INTO external_calendars (tenant_id, staff_id, url_secret, host)
        SELECT c.tenant_id, s.id, c.url_secret, c.host FROM external_calendars c, unnest($2::uuid[]) s (id)
        WHERE c.tenant_id = $1
        """,
        staff_ids,
    )


async def postpone_external_calendars(conn: Connection) -> None:
    """Of every business: those that other tests have connected become due again after some minutes."""
    await conn.execute("UPDATE external_calendars SET next_fetch_at = now() + interval '1 year'")


async def make_external_calendar(rows: TenantRows, staff_id: UUID) -> None:
    """Nobody fetches it: its address is not one."""
    await rows.sql(
        "INSERT INTO external_calendars (tenant_id, staff_id, url_secret, host, next_fetch_at) "
        "VALUES ($1, $2, '', 'calendar.example', now() + interval '1 year')",
        staff_id,
    )
