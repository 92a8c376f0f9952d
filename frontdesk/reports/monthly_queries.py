"""Who gets the month of a business by mail."""

from typing import NamedTuple
from uuid import UUID

from frontdesk.messages.content_queries import read_business
from frontdesk.messages.types import Business
from frontdesk.postgres.pool import Connection


class Reader(NamedTuple):
    business: Business
    email: str
    name: str
    language: str
    favorites: tuple[str, ...]


async def find_reader(conn: Connection, tenant_id: UUID, user_id: UUID) -> Reader | None:
    """None: the user is no member, or may not see reports."""
    row = await conn.fetchrow(
        """
        SELECT n.name, n.timezone, n.currency, n.currency_decimals, n.languages, n.accent, n.cancellation_hours, g.slug,
               u.email, u.name AS reader, u.language, s.favorites
        FROM memberships m
        JOIN users u ON u.id = m.user_id
        JOIN tenants n ON n.id = $1
        LEFT JOIN tenant_slugs g ON g.tenant_id = $1 AND g.is_current
        LEFT JOIN report_settings s ON s.tenant_id = $1 AND s.user_id = m.user_id
        WHERE m.tenant_id = $1 AND m.user_id = $2 AND m.role IN ('owner', 'manager')
        """,
        tenant_id,
        user_id,
    )
    if row is None:
        return None
    return Reader(read_business(row), row["email"], row["reader"], row["language"], tuple(row["favorites"] or ()))
