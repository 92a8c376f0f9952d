"""What was paid and tipped, from the sums that the acts keep."""

from uuid import UUID

from frontdesk.postgres.pool import Connection
from frontdesk.reports.sales_queries import decode_names
from frontdesk.reports.types import MethodPayments, Span, StaffTips


async def list_method_payments(conn: Connection, tenant_id: UUID, span: Span) -> list[MethodPayments]:
    rows = await conn.fetch(
        """
        SELECT m.name::text, s.payments::integer, s.paid, s.refunded, s.before
        FROM (
            SELECT payment_method_id,
                coalesce(sum(payments) FILTER (WHERE day >= $3 AND kind = 'payment'), 0) AS payments,
                coalesce(sum(amount) FILTER (WHERE day >= $3 AND kind = 'payment'), 0) AS paid,
                coalesce(sum(amount) FILTER (WHERE day >= $3 AND kind = 'refund'), 0) AS refunded,
                coalesce(sum(amount) FILTER (WHERE day < $3), 0) AS before
            FROM payments_by_method
            WHERE tenant_id = $1 AND day BETWEEN $2 AND $4 AND ($5::uuid IS NULL OR branch_id = $5) AND kind <> 'tip'
            GROUP BY payment_method_id) s
        JOIN payment_methods m ON m.tenant_id = $1 AND m.id = s.payment_method_id
        ORDER BY s.paid + s.refunded DESC, m.sort_order, m.id
        """,
        tenant_id,
        *span,
    )
    return [MethodPayments(decode_names(names), *sums) for names, *sums in rows]


async def list_tips(conn: Connection, tenant_id: UUID, span: Span) -> list[StaffTips]:
    """Those for all come last."""
    rows = await conn.fetch(
        """
        SELECT t.name, s.tips::integer, s.amount, s.before
        FROM (
            SELECT staff_id, coalesce(sum(payments) FILTER (WHERE day >= $3), 0) AS tips,
                coalesce(sum(amount) FILTER (WHERE day >= $3), 0) AS amount,
                coalesce(sum(amount) FILTER (WHERE day < $3), 0) AS before
            FROM payments_by_method
            WHERE tenant_id = $1 AND day BETWEEN $2 AND $4 AND ($5::uuid IS NULL OR branch_id = $5) AND kind = 'tip'
            GROUP BY staff_id) s
        LEFT JOIN staff t ON t.tenant_id = $1 AND t.id = s.staff_id
        ORDER BY t.name IS NULL, s.amount DESC, s.staff_id
        """,
        tenant_id,
        *span,
    )
    return [StaffTips(*row) for row in rows]
