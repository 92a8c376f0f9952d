"""Statements for the public page of a business."""

from uuid import UUID

import msgspec
from asyncpg import Record

from frontdesk.availability.opening import HOURS_OF_BRANCHES, OpeningHours
from frontdesk.booking_page.types import BookingPage, BookingRules, PageSettings
from frontdesk.postgres.pool import Connection
from frontdesk.postgres.query import Query, document, found, json_bytes
from frontdesk.postgres.records import from_row
from frontdesk.values.tenant_context import TenantContext

_WORDS = msgspec.json.Decoder(dict[str, str])


_HOURS = msgspec.json.Decoder(dict[UUID, OpeningHours])
_PAGE = f"""
    SELECT coalesce(s.slug, '') AS slug, n.*, b.shown, b.about, b.cover_id, b.asks_for_code, b.customers_move,
           b.customers_cancel, b.payment_instructions, b.embedding_origins, coalesce(b.version, 0) AS settings_version,
           p.width, p.height, {HOURS_OF_BRANCHES} AS hours
    FROM tenants n
    LEFT JOIN tenant_slugs s ON s.tenant_id = n.id AND s.is_current
    LEFT JOIN booking_page_settings b ON b.tenant_id = n.id
    LEFT JOIN pictures p ON p.tenant_id = n.id AND p.id = b.cover_id
    WHERE n.deleted_at IS NULL AND """


async def find_booking_page(conn: Connection, slug: str) -> BookingPage | None:
    """The business that has or had this name in its address, with everything that a public page shows about it."""
    row = await conn.fetchrow(f"{_PAGE} n.id = (SELECT tenant_id FROM tenant_slugs WHERE slug = $1)", slug)
    return None if row is None else _booking_page(row)


def tenant_booking_page() -> Query[BookingPage]:
    return Query(f"{_PAGE} n.id = $1", (), found("business", _booking_page))


def published_booking_page() -> Query[bytes]:
    return Query(f"SELECT {json_bytes('booking_page_document($1, $1)')} AS document", (), document("business"))


def _booking_page(row: Record) -> BookingPage:
    return from_row(
        BookingPage,
        row,
        tenant=TenantContext(
            row["id"],
            row["timezone"],
            row["currency"],
            row["currency_decimals"],
            tuple(row["languages"]),
            row["grid_minutes"],
        ),
        names=_WORDS.decode(row["names"]),
        is_suspended=row["suspended_at"] is not None,
        rules=BookingRules(row["notice_hours"], row["horizon_days"], row["cancellation_hours"], row["deposit_percent"]),
        settings=_settings(row) if row["settings_version"] else PageSettings(),
        version=row["settings_version"],
        hours=_HOURS.decode(row["hours"]) if row["hours"] else {},
        cover_size=None if row["width"] is None else (row["width"], row["height"]),
    )


def _settings(row: Record) -> PageSettings:
    return from_row(
        PageSettings,
        row,
        about=_WORDS.decode(row["about"]),
        payment_instructions=_WORDS.decode(row["payment_instructions"]),
        embedding_origins=tuple(row["embedding_origins"]),
    )


async def get_booking_code(conn: Connection, tenant_id: UUID, order_id: UUID) -> str:
    """The code in the address of the customer's own page; made if the order has none."""
    code: str = await conn.fetchval("SELECT booking_code($1, $2)", tenant_id, order_id)
    return code
