"""What must be true of orders and of stock."""

from typing import Final

RULES: Final = {
    "an order is read as it is rendered": """
        SELECT order_id FROM order_documents WHERE tenant_id = $1
            AND current_order_document(tenant_id, order_id)::jsonb <> order_document(tenant_id, order_id)::jsonb
        """,
    "the history leads from nothing to the order's status, step by step": """
        SELECT h.* FROM (
            SELECT o.id, o.status, h.id AS step, h.from_status, h.to_status,
                   lag(to_status) OVER w AS earlier, lead(to_status) OVER w AS later
            FROM orders o LEFT JOIN order_status_history h ON (h.tenant_id, h.order_id) = (o.tenant_id, o.id)
            WHERE o.tenant_id = $1 WINDOW w AS (PARTITION BY o.id ORDER BY h.created_at)) h
        WHERE step IS NULL OR from_status IS DISTINCT FROM earlier OR later IS NULL AND to_status <> status
        """,
    "no order came back from canceled after money was given back": """
        SELECT h.order_id FROM order_status_history h
        JOIN orders r ON (r.tenant_id, r.parent_id) = (h.tenant_id, h.order_id) AND r.created_at < h.created_at
        WHERE h.tenant_id = $1 AND h.from_status = 'canceled'
        """,
    "no payment and no line is given back beyond what it was": """
        SELECT t.id FROM transactions t JOIN transactions b ON (b.tenant_id, b.refund_of_id) = (t.tenant_id, t.id)
        WHERE t.tenant_id = $1 GROUP BY t.id, t.amount HAVING t.amount + sum(b.amount) < 0
        UNION ALL
        SELECT l.id FROM order_lines l JOIN order_lines b ON (b.tenant_id, b.parent_line_id) = (l.tenant_id, l.id)
        WHERE l.tenant_id = $1 GROUP BY l.id, l.quantity HAVING l.quantity < sum(b.returned)
        """,
    "the options of a product add up to its stock, where all of them have one": """
        SELECT i.id, i.stock, sum(v.quantity) AS options FROM items i
        JOIN item_options v ON (v.tenant_id, v.item_id) = (i.tenant_id, i.id)
        WHERE i.tenant_id = $1 AND i.type = 'product' GROUP BY i.id, i.stock
        HAVING bool_and(v.quantity IS NOT NULL) AND i.stock IS DISTINCT FROM sum(v.quantity)
        """,
    "nothing is sold that is not there": """
        SELECT id, stock FROM items WHERE tenant_id = $1 AND stock < 0
        """,
    "every key of a retry has its answer": """
        SELECT key, status FROM idempotency_records
        WHERE tenant_id = $1 AND (status NOT BETWEEN 200 AND 299 OR length(body) = 0)
        """,
}
