"""A business without anything in it, and settings of a business as its pages would save them."""

from typing import Any
from uuid import UUID, uuid4

from frontdesk.postgres.pool import Connection
from tests.factories.changes import assignments
from tests.factories.tenant_rows import TenantRows


async def make_tenant(
    conn: Connection, *, timezone: str = "Asia/Riyadh", currency: str = "SAR", decimals: int = 2
) -> UUID:
    id_ = uuid4()
    await conn.execute(
        """
        INSERT INTO tenants (id, name, plan, open_api, timezone, currency, currency_decimals, languages)
        VALUES ($1, 'Empty', 'professional', true, $2, $3, $4, '{ar}')
        """,
        id_,
        timezone,
        currency,
        decimals,
    )
    return id_


async def change_booking_page(rows: TenantRows, **columns: Any) -> None:
    """The other settings keep their values, or get their defaults."""
    places = ", ".join(f"${number}" for number in range(2, len(columns) + 2))
    await rows.sql(
        f"INSERT INTO booking_page_settings (tenant_id, {', '.join(columns)}) VALUES ($1, {places}) "
        f"ON CONFLICT (tenant_id) DO UPDATE SET {assignments(columns)}",
        *columns.values(),
    )
