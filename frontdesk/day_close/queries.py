"""Statements for POS clients: the start-up data, and who performs a service."""

from uuid import UUID

from frontdesk.postgres.query import Query, document, json_bytes, page_of
from frontdesk.staff.queries import WORKING_HOUR
from frontdesk.tenants.price_queries import CHARGED, OFFER, TAX, TAX_DOCUMENT


def get_metadata(branch_id: UUID) -> Query[bytes]:
    """The data of the branch that changes rarely, as the members of a JSON object."""
    return Query(
        f"""
        SELECT {json_bytes(_METADATA)} AS document FROM branches b WHERE b.tenant_id = $1 AND b.id = $2
        """,
        (branch_id,),
        document("branch"),
    )


def list_performers(service_id: UUID, origin: str) -> Query[bytes]:
    """All staff who perform a service, with their price and duration.

    An API key that is bound to a branch sees only a service and staff of it.
    """
    return Query(
        f"""
        SELECT (SELECT {page_of(_PERFORMER, 's.name_search COLLATE "C", s.id')}
            FROM staff_services ss
            JOIN staff s ON s.tenant_id = $1 AND s.id = ss.staff_id AND s.active
            JOIN branches b ON b.tenant_id = $1 AND b.id = s.branch_id
            WHERE ss.tenant_id = $1 AND ss.item_id = i.id AND s.branch_id = coalesce(context.branch_id, s.branch_id))
                AS document
        FROM items i {TAX.format("i")}
        WHERE i.tenant_id = $1 AND i.id = $2 AND i.type = 'service'
            AND i.branch_id = coalesce(context.branch_id, i.branch_id)
        """,
        (service_id, origin),
        document("service"),
    )


_METADATA = f"""json_build_object(
    'branch', branch_json(b), 'currency', context.currency, 'currency_decimals', context.currency_decimals,
    'timezone', context.timezone, 'languages', context.languages,
    'tax', (SELECT {TAX_DOCUMENT} FROM (SELECT NULL::uuid AS tax_class_id) usual {TAX.format("usual")}),
    'payment_methods', (SELECT coalesce(json_agg(payment_method_json(m, t) ORDER BY m.created_at, m.id), '[]')
        FROM payment_methods m JOIN payment_method_types t ON t.slug = m.type
        LEFT JOIN installs i ON i.tenant_id = $1 AND i.id = m.install_id
        WHERE m.tenant_id = $1 AND m.active AND i.disconnected_at IS NULL),
    'categories', (SELECT coalesce(json_agg(json_build_object(
            'id', c.id, 'name', c.name, 'slug', c.slug, 'status', c.status, 'sort_order', c.sort_order)
            ORDER BY c.sort_order, c.id), '[]')
        FROM categories c WHERE c.tenant_id = $1 AND c.branch_id = b.id),
    'tags', (SELECT coalesce(json_agg(tag_json(t) ORDER BY t.name_folded, t.id), '[]')
        FROM tags t WHERE t.tenant_id = $1),
    'working_hour', (SELECT {WORKING_HOUR} FROM working_hours w
        WHERE w.tenant_id = $1 AND w.branch_id = b.id AND w.is_default),
    'cashiers', (SELECT coalesce(json_agg(json_build_object('id', k.id, 'name', k.name, 'code', k.code)
            ORDER BY k.name, k.id), '[]')
        FROM cashiers k WHERE k.tenant_id = $1 AND k.branch_id = b.id AND k.active))"""

_PERFORMER = f"""json_build_object(
    'id', s.id, 'name', s.name,
    'image', coalesce($3::text || '/pictures/' || s.tenant_id || '/' || s.picture_id,
        CASE WHEN s.image LIKE 'http%' THEN s.image ELSE $3::text || '/' || s.image END),
    'price', {CHARGED.format(f"coalesce(ss.price, {OFFER.format('i')}, i.price)")}, 'tax', {TAX_DOCUMENT},
    'duration', coalesce(ss.duration, i.duration), 'branch', json_build_object('id', b.id, 'name', b.name))"""
