"""Statements that a new order is checked against, and those that hold what it takes."""

from collections.abc import Iterable
from uuid import UUID

import msgspec

from frontdesk.orders.types import LineType, OrderContext, OrderRequest
from frontdesk.postgres.pool import Connection
from frontdesk.tenants.documents import BRANCH
from frontdesk.tenants.types import TenantContext

_NAME = "coalesce({0}.name ->> $5, (SELECT t.value FROM jsonb_each_text({0}.name) t ORDER BY t.key LIMIT 1), '')"


_OPTIONS = """(SELECT coalesce(json_agg(json_build_object(
                    'id', v.id, 'item_id', v.item_id, 'is_active', v.is_active, 'price', v.price,
                    'offer_price', v.offer_price, 'duration', v.duration, 'quantity', v.quantity)
                    ORDER BY v.is_active DESC, v.sort_order, v.id), '[]')
                FROM item_options v WHERE v.tenant_id = $1 AND (v.id = ANY($6) OR v.item_id IN (
                    SELECT i.id FROM items i WHERE i.tenant_id = $1 AND i.id = ANY($4) AND i.type = 'product'
                    UNION ALL
                    SELECT c.item_id FROM package_items c WHERE c.tenant_id = $1 AND c.package_id = ANY($4))))"""
_STAFF = """(SELECT coalesce(json_agg(s.id), '[]') FROM staff s
                WHERE s.tenant_id = $1 AND s.id = ANY($7) AND s.active)"""
_METHODS = """(SELECT coalesce(json_agg(json_build_object(
                    'id', m.id, 'type', m.type, 'active', m.active, 'connected', i.disconnected_at IS NULL,
                    'name', m.name, 'slug', m.slug)
                    ORDER BY m.created_at, m.id), '[]')
                FROM payment_methods m LEFT JOIN installs i ON i.tenant_id = $1 AND i.id = m.install_id
                WHERE m.tenant_id = $1 AND (m.id = ANY($8) OR m.type = ANY($9)))"""
_NONE = "'[]'::json"


async def get_order_context(conn: Connection, tenant: TenantContext, asked: OrderRequest) -> OrderContext:
    """Everything that the books say about what an order names, in one look. What it does not name is left out."""
    option_ids = [option_id for line in asked.lines for option_id in line.option_ids]
    has_options = bool(option_ids) or any(line.type is not LineType.SERVICE for line in asked.lines)
    staff_ids = [line.staff_id for line in asked.lines if line.staff_id is not None]
    text = await conn.fetchval(
        f"""
        SELECT json_build_object(
            'branches', (SELECT coalesce(json_agg(json_build_object('id', b.id, 'document', {BRANCH})), '[]')
                FROM branches b WHERE b.tenant_id = $1 AND (b.id = $2
                    OR b.id IN (SELECT i.branch_id FROM items i WHERE i.tenant_id = $1 AND i.id = ANY($4))
                    OR b.id IN (SELECT p.branch_id FROM packages p WHERE p.tenant_id = $1 AND p.id = ANY($4)))),
            'customer', (SELECT json_build_object('blocked', blocked) FROM customers WHERE tenant_id = $1 AND id = $3),
            'items', (SELECT coalesce(json_agg(json_build_object(
                    'id', i.id, 'type', i.type, 'branch_id', i.branch_id, 'status', i.status,
                    'name', {_NAME.format("i")}, 'price', i.price, 'offer_price', i.offer_price,
                    'duration', i.duration, 'stock', i.stock)), '[]')
                FROM items i WHERE i.tenant_id = $1 AND i.id = ANY($4)),
            'options', {_OPTIONS if has_options else _NONE},
            'packages', (SELECT coalesce(json_agg(json_build_object(
                    'id', p.id, 'branch_id', p.branch_id, 'status', p.status, 'name', {_NAME.format("p")},
                    'price', p.price, 'offer_price', p.offer_price, 'contents', (
                        SELECT coalesce(json_agg(json_build_object(
                            'item_id', c.item_id, 'quantity', c.quantity, 'stock', ci.stock)), '[]')
                        FROM package_items c JOIN items ci ON ci.tenant_id = $1 AND ci.id = c.item_id
                        WHERE c.tenant_id = $1 AND c.package_id = p.id))), '[]')
                FROM packages p WHERE p.tenant_id = $1 AND p.id = ANY($4)),
            'performers', (SELECT coalesce(json_agg(json_build_object(
                    'item_id', ss.item_id, 'staff_id', ss.staff_id, 'branch_id', s.branch_id,
                    'price', ss.price, 'duration', ss.duration)), '[]')
                FROM staff_services ss JOIN staff s ON s.tenant_id = $1 AND s.id = ss.staff_id
                WHERE ss.tenant_id = $1 AND ss.item_id = ANY($4) AND s.active),
            'staff', {_STAFF if staff_ids else _NONE},
            'methods', {_METHODS if asked.payments else _NONE})::text
        FROM (SELECT $6::uuid[], $7::uuid[], $8::uuid[], $9::text[]) AS given
        """,
        tenant.tenant_id,
        asked.branch_id,
        asked.customer_id,
        [line.item_id for line in asked.lines],
        tenant.languages[0],
        option_ids,
        staff_ids,
        [payment.method_id for payment in asked.payments if payment.method_id is not None],
        [payment.method_type for payment in asked.payments if payment.method_type is not None],
    )
    return msgspec.json.decode(text, type=OrderContext)


async def lock_providers(conn: Connection, tenant_id: UUID, staff_ids: Iterable[UUID]) -> None:
    """By id, as everywhere: until the transaction ends nobody else takes or frees their time."""
    await conn.execute(
        "SELECT FROM staff WHERE tenant_id = $1 AND id = ANY($2) ORDER BY id FOR NO KEY UPDATE",
        tenant_id,
        list(staff_ids),
    )


async def lock_products(conn: Connection, tenant_id: UUID, staff_ids: Iterable[UUID], item_ids: Iterable[UUID]) -> None:
    """Providers by id, then products by id, in a statement of its own before the one that takes from their stock.

    A statement that locks a product and then changes it goes back to the version it first saw. Where that one was
    changed meanwhile, somebody may stand there who waits for us, and we would wait for them.
    """
    await conn.execute(
        """
        WITH providers AS MATERIALIZED (
            SELECT id FROM staff WHERE tenant_id = $1 AND id = ANY($2) ORDER BY id FOR NO KEY UPDATE
        )
        SELECT FROM items WHERE tenant_id = $1 AND id = ANY($3) AND (SELECT count(*) FROM providers) >= 0
        ORDER BY id FOR NO KEY UPDATE
        """,
        tenant_id,
        list(staff_ids),
        list(item_ids),
    )
