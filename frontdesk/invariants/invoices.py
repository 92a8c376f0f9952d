"""What must be true of invoices and credit notes."""

from typing import Final

RULES: Final = {
    "an invoice and its credit notes add up to what the order is worth": """
        SELECT o.id, o.status, w.total AS worth, w.tax, i.total, i.tax_amount, c.total AS credited, c.tax AS tax_back
        FROM orders o
        JOIN invoices i ON (i.tenant_id, i.order_id) = (o.tenant_id, o.id)
        CROSS JOIN LATERAL (
            SELECT coalesce(sum(n.total), 0) AS total, coalesce(sum(n.tax_amount), 0) AS tax
            FROM credit_notes n WHERE n.tenant_id = $1 AND n.invoice_id = i.id) c
        CROSS JOIN LATERAL (
            SELECT coalesce(sum(s.total), 0) AS total, coalesce(sum(s.tax_amount), 0) AS tax FROM orders s
            WHERE s.tenant_id = $1 AND o.id IN (s.id, s.parent_id) AND o.status <> 'canceled') w
        WHERE o.tenant_id = $1 AND (i.total - c.total, i.tax_amount - c.tax) <> (w.total, w.tax)
        """,
    "each refund of an invoice has a credit note of its amount, unless all of it was credited before": """
        SELECT r.child_order_id, r.amount, c.total FROM refunds r
        LEFT JOIN invoices i ON (i.tenant_id, i.order_id) = (r.tenant_id, r.order_id)
        LEFT JOIN credit_notes c ON (c.tenant_id, c.order_id) = (r.tenant_id, r.child_order_id)
        JOIN orders o ON o.tenant_id = $1 AND o.id = r.child_order_id
        WHERE r.tenant_id = $1 AND (c.invoice_id <> i.id OR c.total <> r.amount OR (c.id IS NULL AND i.id IS NOT NULL
            AND NOT EXISTS (SELECT FROM order_status_history h WHERE h.tenant_id = $1 AND h.order_id = r.order_id
                AND h.to_status = 'canceled' AND h.created_at <= o.created_at)) OR (c.id IS NOT NULL AND i.id IS NULL))
        """,
    "a credit note belongs to a refund of its invoice, or to the canceled order itself": """
        SELECT c.id FROM credit_notes c
        JOIN invoices i ON (i.tenant_id, i.id) = (c.tenant_id, c.invoice_id)
        JOIN orders o ON (o.tenant_id, o.id) = (c.tenant_id, c.order_id)
        WHERE c.tenant_id = $1 AND NOT (o.parent_id IS NOT DISTINCT FROM i.order_id
            OR (o.id = i.order_id AND o.status = 'canceled'))
        """,
    "credit notes take back no more than their invoice, nor more of its tax": """
        SELECT i.id FROM invoices i JOIN credit_notes c ON (c.tenant_id, c.invoice_id) = (i.tenant_id, i.id)
        WHERE i.tenant_id = $1 GROUP BY i.id, i.total, i.tax_amount
        HAVING sum(c.total) > i.total OR sum(c.tax_amount) > i.tax_amount
            OR (sum(c.total) = i.total AND sum(c.tax_amount) <> i.tax_amount)
        """,
}
