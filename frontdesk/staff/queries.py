"""Statements about staff and working hours. The published forms are written as JSON by the database itself."""

from uuid import UUID

from frontdesk.errors import not_found
from frontdesk.postgres.pool import Connection
from frontdesk.staff.types import StaffFilter
from frontdesk.tenants.types import TenantContext
from frontdesk.values.pagination import Page, PageRequest

# $2 is the currency's number of decimals and $3 the origin that picture addresses begin with.
_MEMBER = """json_build_object(
    'id', s.id, 'name', s.name, 'phone', s.phone, 'phone_country', s.phone_country, 'email', s.email,
    'image', CASE WHEN s.image LIKE 'http%' THEN s.image ELSE $3::text || '/' || s.image END,
    'branch', json_build_object('id', b.id, 'name', b.name),
    'services', (
        SELECT coalesce(json_agg(json_build_object(
            'id', i.id, 'name', i.name, 'price', round(coalesce(ss.price, i.offer_price, i.price), $2),
            'duration', coalesce(ss.duration, i.duration)) ORDER BY i.sort_order, i.id), '[]')
        FROM staff_services ss JOIN items i ON i.tenant_id = ss.tenant_id AND i.id = ss.item_id
        WHERE ss.tenant_id = s.tenant_id AND ss.staff_id = s.id),
    'created_at', utc_text(s.created_at), 'updated_at', utc_text(s.updated_at))"""

# With `w` the working hour.
WORKING_HOUR = """json_build_object(
    'id', w.id, 'source', CASE WHEN w.staff_id IS NULL THEN 'branch' ELSE 'staff' END,
    'all_time', w.all_time, 'active', w.active, 'intervals', (
        SELECT coalesce(json_agg(json_build_object(
            'id', n.id, 'day', ('{sun,mon,tue,wed,thu,fri,sat}'::text[])[n.day + 1],
            'from', to_char(make_time(n.opens / 60, n.opens % 60, 0), 'HH24:MI'),
            'to', to_char(make_time(n.closes / 60, n.closes % 60, 0), 'HH24:MI'),
            'active', n.active) ORDER BY n.day, n.opens, n.id), '[]')
        FROM working_intervals n WHERE n.tenant_id = w.tenant_id AND n.working_hour_id = w.id))"""

_BRANCH = "JOIN branches b ON b.tenant_id = s.tenant_id AND b.id = s.branch_id"


async def list_staff(
    conn: Connection, tenant: TenantContext, filter_: StaffFilter, wanted: PageRequest, origin: str
) -> Page:
    """Those who work here now, by name."""
    total = await conn.fetchval(
        """
        SELECT count(*) FROM staff WHERE tenant_id = $1 AND active
        AND ($2::text IS NULL OR position($2 IN name_search) > 0) AND ($3::uuid IS NULL OR branch_id = $3)
        """,
        tenant.tenant_id,
        filter_.name,
        filter_.branch_id,
    )
    documents = await conn.fetchval(
        f"""
        SELECT coalesce(json_agg({_MEMBER} ORDER BY s.name_search COLLATE "C", s.id), '[]')::text
        FROM (
            SELECT * FROM staff WHERE tenant_id = $1 AND active
            AND ($4::text IS NULL OR position($4 IN name_search) > 0) AND ($5::uuid IS NULL OR branch_id = $5)
            ORDER BY name_search COLLATE "C", id OFFSET $6 LIMIT $7
        ) s {_BRANCH}
        """,
        tenant.tenant_id,
        tenant.currency_decimals,
        origin,
        filter_.name,
        filter_.branch_id,
        wanted.offset,
        wanted.per_page,
    )
    return Page(documents, total)


async def get_staff_member(conn: Connection, tenant: TenantContext, staff_id: UUID, origin: str) -> str:
    document: str | None = await conn.fetchval(
        f"SELECT {_MEMBER}::text FROM staff s {_BRANCH} WHERE s.tenant_id = $1 AND s.id = $4",
        tenant.tenant_id,
        tenant.currency_decimals,
        origin,
        staff_id,
    )
    if document is None:
        raise not_found("staff member")
    return document


async def get_working_hour(conn: Connection, tenant_id: UUID, staff_id: UUID) -> str:
    """The member's own default hours, else the branch's."""
    row = await conn.fetchrow(
        f"""
        SELECT (
            SELECT {WORKING_HOUR}::text
            FROM working_hours w
            WHERE w.tenant_id = s.tenant_id AND w.is_default AND (w.staff_id = s.id OR w.branch_id = s.branch_id)
            ORDER BY w.staff_id IS NULL LIMIT 1) AS document
        FROM staff s WHERE s.tenant_id = $1 AND s.id = $2
        """,
        tenant_id,
        staff_id,
    )
    if row is None:
        raise not_found("staff member")
    document: str | None = row["document"]
    if document is None:
        raise not_found("working hour: neither the staff member nor the branch has one")
    return document
