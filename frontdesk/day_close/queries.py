"""Statements for the till: what it needs to start, and who performs a service."""

from uuid import UUID

from frontdesk.errors import not_found
from frontdesk.payments.queries import METHOD
from frontdesk.postgres.pool import Connection
from frontdesk.staff.queries import WORKING_HOUR
from frontdesk.tags.documents import TAG
from frontdesk.tenants.documents import BRANCH
from frontdesk.tenants.types import TenantContext


async def get_metadata(conn: Connection, tenant_id: UUID, branch_id: UUID) -> str:
    """Everything of the branch that changes seldom, as the inside of a JSON object."""
    document: str | None = await conn.fetchval(
        f"""
        SELECT json_build_object(
            'branch', {BRANCH}, 'currency', n.currency, 'currency_decimals', n.currency_decimals,
            'timezone', n.timezone, 'languages', n.languages,
            'payment_methods', (SELECT coalesce(json_agg({METHOD} ORDER BY m.created_at, m.id), '[]')
                FROM payment_methods m JOIN payment_method_types t ON t.slug = m.type
                LEFT JOIN installs i ON i.tenant_id = m.tenant_id AND i.id = m.install_id
                WHERE m.tenant_id = $1 AND m.active AND i.disconnected_at IS NULL),
            'categories', (SELECT coalesce(json_agg(json_build_object(
                    'id', c.id, 'name', c.name, 'slug', c.slug, 'status', c.status, 'sort_order', c.sort_order)
                    ORDER BY c.sort_order, c.id), '[]')
                FROM categories c WHERE c.tenant_id = $1 AND c.branch_id = b.id),
            'tags', (SELECT coalesce(json_agg({TAG} ORDER BY t.name_folded, t.id), '[]')
                FROM tags t WHERE t.tenant_id = $1),
            'working_hour', (SELECT {WORKING_HOUR} FROM working_hours w
                WHERE w.tenant_id = $1 AND w.branch_id = b.id AND w.is_default),
            'cashiers', (SELECT coalesce(json_agg(json_build_object('id', k.id, 'name', k.name, 'code', k.code)
                    ORDER BY k.name, k.id), '[]')
                FROM cashiers k WHERE k.tenant_id = $1 AND k.branch_id = b.id AND k.active))::text
        FROM branches b JOIN tenants n ON n.id = b.tenant_id WHERE b.tenant_id = $1 AND b.id = $2
        """,
        tenant_id,
        branch_id,
    )
    if document is None:
        raise not_found("branch")
    return document


async def list_performers(
    conn: Connection, tenant: TenantContext, service_id: UUID, origin: str, branch_id: UUID | None = None
) -> str:
    """Everybody who performs a service, at the price and for the time that count with them.

    With a branch only a service and staff of it.
    """
    row = await conn.fetchrow(
        """
        SELECT (SELECT coalesce(json_agg(json_build_object(
                'id', s.id, 'name', s.name,
                'image', CASE WHEN s.image LIKE 'http%' THEN s.image ELSE $4::text || '/' || s.image END,
                'price', round(coalesce(ss.price, i.offer_price, i.price), $3),
                'duration', coalesce(ss.duration, i.duration),
                'branch', json_build_object('id', b.id, 'name', b.name))
                ORDER BY s.name_search COLLATE "C", s.id), '[]')
            FROM staff_services ss
            JOIN staff s ON s.tenant_id = $1 AND s.id = ss.staff_id AND s.active
            JOIN branches b ON b.tenant_id = $1 AND b.id = s.branch_id
            WHERE ss.tenant_id = $1 AND ss.item_id = i.id AND s.branch_id = coalesce($5, s.branch_id))::text
                AS performers
        FROM items i
        WHERE i.tenant_id = $1 AND i.id = $2 AND i.type = 'service' AND i.branch_id = coalesce($5, i.branch_id)
        """,
        tenant.tenant_id,
        service_id,
        tenant.currency_decimals,
        origin,
        branch_id,
    )
    if row is None:
        raise not_found("service")
    performers: str = row["performers"]
    return performers
