"""What must be true of sums, numbers and counters."""

from typing import Final

RULES: Final = {
    "no order is without lines, and it adds up to them": """
        SELECT o.id, o.total FROM orders o
        LEFT JOIN (SELECT order_id, sum(price * quantity) AS sub_total, sum(discount_amount) AS off, sum(total) AS total
                   FROM order_lines WHERE tenant_id = $1 GROUP BY order_id) l ON l.order_id = o.id
        WHERE o.tenant_id = $1
          AND (o.sub_total, o.discount_amount, o.total) IS DISTINCT FROM (l.sub_total, l.off, l.total)
        """,
    "the tax of an order is that of its lines, and its invoice and refunds agree": """
        SELECT o.id, o.tax_amount, l.tax AS of_lines, r.tax AS refunded FROM orders o
        LEFT JOIN (SELECT order_id, sum(tax_amount) AS tax FROM order_lines WHERE tenant_id = $1
                   GROUP BY order_id) l ON l.order_id = o.id
        LEFT JOIN (SELECT parent_id, -sum(tax_amount) AS tax, -sum(total) AS total FROM orders
                   WHERE tenant_id = $1 AND parent_id IS NOT NULL GROUP BY parent_id) r ON r.parent_id = o.id
        LEFT JOIN invoices i ON i.tenant_id = $1 AND i.order_id = o.id
        LEFT JOIN credit_notes c ON c.tenant_id = $1 AND c.order_id = o.id AND o.parent_id IS NOT NULL
        WHERE o.tenant_id = $1 AND (o.tax_amount IS DISTINCT FROM l.tax OR i.tax_amount <> o.tax_amount
            OR c.tax_amount <> -o.tax_amount OR r.tax > o.tax_amount
            OR r.total = o.total AND r.tax <> o.tax_amount)
        """,
    "what is paid is the sum of the payments that were confirmed, and never more than the total": """
        SELECT o.id, o.paid_amount, t.amount FROM orders o LEFT JOIN (
            SELECT order_id, sum(amount) AS amount FROM transactions
            WHERE tenant_id = $1 AND refund_of_id IS NULL AND status IN ('confirmed', 'refunded') GROUP BY order_id
        ) t ON t.order_id = o.id
        WHERE o.tenant_id = $1 AND o.parent_id IS NULL
          AND (o.paid_amount <> coalesce(t.amount, 0) OR o.paid_amount > o.total)
        """,
    "what is given back is the sum of the refunds, of their orders and of their transactions": """
        SELECT id, sum(refunded) AS refunded, sum(recorded) AS recorded, sum(child) AS child, sum(back) AS back FROM (
            SELECT id, paid_amount AS paid, refunded_amount AS refunded, 0 AS recorded, 0 AS child, 0 AS back
            FROM orders WHERE tenant_id = $1 AND parent_id IS NULL
            UNION ALL SELECT order_id, 0, 0, amount, 0, 0 FROM refunds WHERE tenant_id = $1
            UNION ALL SELECT parent_id, 0, 0, 0, -total, 0 FROM orders WHERE tenant_id = $1 AND parent_id IS NOT NULL
            UNION ALL
            SELECT t.order_id, 0, 0, 0, 0, -b.amount FROM transactions b
            JOIN transactions t ON (t.tenant_id, t.id) = (b.tenant_id, b.refund_of_id) WHERE b.tenant_id = $1) o
        GROUP BY id
        HAVING sum(refunded) > sum(paid)
            OR (sum(refunded), sum(refunded), sum(refunded)) <> (sum(recorded), sum(child), sum(back))
        """,
    "an order's payment status follows from what was paid and given back": """
        SELECT id, shown, paid, refunded FROM (
            SELECT id, sum(total) AS total, min(shown) AS shown, sum(paid) AS paid, sum(back) AS refunded FROM (
                SELECT id, total, payment_status(total, paid_amount, refunded_amount) AS shown, 0 AS paid, 0 AS back
                FROM orders WHERE tenant_id = $1 AND parent_id IS NULL
                UNION ALL
                SELECT order_id, 0, NULL, amount, 0 FROM transactions
                WHERE tenant_id = $1 AND refund_of_id IS NULL AND status IN ('confirmed', 'refunded')
                UNION ALL
                SELECT t.order_id, 0, NULL, 0, -b.amount FROM transactions b
                JOIN transactions t ON (t.tenant_id, t.id) = (b.tenant_id, b.refund_of_id) WHERE b.tenant_id = $1) k
            GROUP BY id) o
        WHERE shown IS DISTINCT FROM CASE
            WHEN refunded > 0 AND refunded >= paid THEN 'refunded' WHEN refunded > 0 THEN 'partially_refunded'
            WHEN paid >= total THEN 'paid' WHEN paid > 0 THEN 'partially_paid' ELSE 'unpaid' END
        """,
    "numbers start at 1 and have no gaps, in the order of its time": """
        SELECT * FROM (
            SELECT 'order' AS kind, order_number AS number,
                   row_number() OVER (ORDER BY created_at, order_number) AS place FROM orders WHERE tenant_id = $1
            UNION ALL
            SELECT 'transaction', transaction_no, row_number() OVER (ORDER BY created_at, transaction_no)
            FROM transactions WHERE tenant_id = $1
            UNION ALL
            SELECT 'invoice', invoice_number, row_number() OVER (ORDER BY invoice_number)
            FROM invoices WHERE tenant_id = $1
            UNION ALL
            SELECT 'credit note', credit_note_number, row_number() OVER (ORDER BY credit_note_number)
            FROM credit_notes WHERE tenant_id = $1) n
        WHERE number <> place
        """,
    "the counters stand at the last number used, or at the number of rows": """
        SELECT u.*, c.value FROM (
            SELECT 'order_number', max(order_number) FROM orders WHERE tenant_id = $1
            UNION ALL SELECT 'transaction_no', max(transaction_no) FROM transactions WHERE tenant_id = $1
            UNION ALL SELECT 'invoice_number', max(invoice_number) FROM invoices WHERE tenant_id = $1
            UNION ALL SELECT 'credit_note_number', max(credit_note_number) FROM credit_notes WHERE tenant_id = $1
            UNION ALL SELECT 'rows:customers', count(*) FROM customers WHERE tenant_id = $1
            UNION ALL SELECT 'rows:items', count(*) FROM items WHERE tenant_id = $1) u (name, used)
        LEFT JOIN tenant_counters c ON c.tenant_id = $1 AND c.name = u.name
        WHERE coalesce(c.value, 0) <> coalesce(u.used, 0)
        """,
}
