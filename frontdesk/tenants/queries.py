from uuid import UUID

from frontdesk.kit.db import Connection
from frontdesk.kit.paging import Page, PageRequest

BRANCH = """json_build_object(
    'id', b.id, 'name', b.name, 'slug', b.slug, 'phone', b.phone, 'phone_country', b.phone_country,
    'address', b.address, 'latitude', b.latitude, 'longitude', b.longitude, 'location', b.location,
    'status', b.status, 'created_at', utc_text(b.created_at), 'updated_at', utc_text(b.updated_at))"""


async def list_branches(conn: Connection, tenant_id: UUID, wanted: PageRequest) -> Page:
    """Newest first."""
    total = await conn.fetchval("SELECT count(*) FROM branches WHERE tenant_id = $1", tenant_id)
    documents = await conn.fetchval(
        f"""
        SELECT coalesce(json_agg({BRANCH} ORDER BY b.created_at DESC, b.id DESC), '[]')::text
        FROM (
            SELECT * FROM branches WHERE tenant_id = $1 ORDER BY created_at DESC, id DESC OFFSET $2 LIMIT $3
        ) b
        """,
        tenant_id,
        wanted.offset,
        wanted.per_page,
    )
    return Page(documents, total)


async def exists_branch(conn: Connection, tenant_id: UUID, branch_id: UUID) -> bool:
    found: bool = await conn.fetchval(
        "SELECT EXISTS (SELECT FROM branches WHERE tenant_id = $1 AND id = $2)", tenant_id, branch_id
    )
    return found


async def get_row_count(conn: Connection, tenant_id: UUID, table: str) -> int:
    """How many rows a business has in a table whose triggers keep count."""
    value = await conn.fetchval(
        "SELECT value FROM tenant_counters WHERE tenant_id = $1 AND name = 'rows:' || $2", tenant_id, table
    )
    return int(value or 0)
