"""What must be true of drawers, shifts and closed days: every payment in cash is counted once."""

from typing import Final

_IS_OWN = "own.tenant_id = $1 AND own.branch_id = w.branch_id AND own.cashier_id = t.created_by_id"
# Money of a cashier who has a shift at that time is in the shift, all other in the drawer of all.
_BELONGS = f"""w.cashier_id IS NOT DISTINCT FROM (SELECT own.cashier_id FROM drawer_sessions own
            WHERE {_IS_OWN} AND t.created_at >= own.counts_from AND t.created_at < coalesce(own.closed_at, 'infinity')
            LIMIT 1)"""
_STANDING = "t.status IN ('confirmed', 'refunded')"
# What each session holds beside its float: the cash of its time that belongs to it, tips, and its movements.
_CASH = f"""
        SELECT w.session_id, CASE WHEN m.type = 'cash' THEN t.amount ELSE t.amount - t.tendered_amount END AS amount
        FROM drawer_window w
        JOIN transactions t ON t.tenant_id = $1 AND {_STANDING} AND t.created_at >= w.begins AND t.created_at < w.ends
        JOIN orders o ON o.tenant_id = $1 AND o.id = t.order_id AND o.branch_id = w.branch_id
        JOIN payment_methods m ON m.tenant_id = $1 AND m.id = t.payment_method_id
        WHERE {_BELONGS}
        UNION ALL
        SELECT w.session_id, t.amount FROM drawer_window w
        JOIN tips t ON t.tenant_id = $1 AND t.created_at >= w.begins AND t.created_at < w.ends
        JOIN orders o ON o.tenant_id = $1 AND o.id = t.order_id AND o.branch_id = w.branch_id
        JOIN payment_methods m ON m.tenant_id = $1 AND m.id = t.payment_method_id AND m.type = 'cash'
        WHERE {_BELONGS}
        UNION ALL
        SELECT v.session_id, v.amount FROM drawer_movements v WHERE v.tenant_id = $1"""
_WINDOW = """
        SELECT s.id AS session_id, s.branch_id, s.cashier_id, s.float_amount, s.counts_from AS begins,
               coalesce(s.closed_at, 'infinity') AS ends
        FROM drawer_sessions s WHERE s.tenant_id = $1"""

RULES: Final = {
    "no two sessions of a drawer, or of a cashier at a branch, have a time in common": """
        SELECT a.id, b.id AS other FROM drawer_sessions a
        JOIN drawer_sessions b ON a.tenant_id = b.tenant_id AND a.branch_id = b.branch_id AND a.id < b.id
        WHERE a.tenant_id = $1 AND (
            a.drawer = b.drawer
                AND tstzrange(a.opened_at, a.closed_at) && tstzrange(b.opened_at, b.closed_at)
            OR a.cashier_id IS NOT DISTINCT FROM b.cashier_id
                AND tstzrange(a.counts_from, a.closed_at) && tstzrange(b.counts_from, b.closed_at))
        """,
    "no payment is in two shifts": f"""
        WITH drawer_window AS MATERIALIZED ({_WINDOW})
        SELECT t.id, count(*) AS shifts FROM drawer_window w
        JOIN transactions t ON t.tenant_id = $1 AND t.created_at >= w.begins AND t.created_at < w.ends
        JOIN orders o ON o.tenant_id = $1 AND o.id = t.order_id AND o.branch_id = w.branch_id
        WHERE {_BELONGS} GROUP BY t.id HAVING count(*) > 1
        """,
    "a closed drawer was expected to hold its float, its cash and what was moved": f"""
        WITH drawer_window AS MATERIALIZED ({_WINDOW}), moved AS (
            SELECT session_id, sum(amount) AS amount FROM ({_CASH}) cash GROUP BY session_id
        ), stored AS (
            SELECT s.id AS session_id, s.closed_at, c.drawer FROM drawer_sessions s
            JOIN shift_closes c ON c.tenant_id = $1 AND c.session_id = s.id AND c.closed_at = s.closed_at
            WHERE s.tenant_id = $1
            UNION ALL
            SELECT s.id, s.closed_at, d.drawer FROM drawer_sessions s
            JOIN day_closes d ON d.tenant_id = $1 AND d.id = s.day_close_id
            WHERE s.tenant_id = $1 AND s.cashier_id IS NULL
        )
        SELECT stored.session_id, (stored.drawer ->> 'expected')::numeric AS expected,
               w.float_amount + coalesce(moved.amount, 0) AS held
        FROM stored JOIN drawer_window w USING (session_id) LEFT JOIN moved USING (session_id)
        WHERE (stored.drawer ->> 'expected')::numeric <> w.float_amount + coalesce(moved.amount, 0)
        """,
    "a shift that is closed has its count": """
        SELECT s.id FROM drawer_sessions s
        WHERE s.tenant_id = $1 AND s.cashier_id IS NOT NULL AND s.closed_at IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM shift_closes c
                WHERE c.tenant_id = $1 AND c.session_id = s.id AND c.closed_at = s.closed_at)
        """,
    "the cash of a closed day is what was paid in its time": f"""
        SELECT d.id, d.cash AS stored, coalesce(sum(t.amount), 0) AS paid FROM (
            SELECT c.id, c.branch_id, c.starts_at, c.ends_at, (
                SELECT coalesce(sum((k ->> 'expected_cash')::numeric), 0)
                FROM jsonb_array_elements(c.cashiers) k) AS cash
            FROM standing_day_closes c WHERE c.tenant_id = $1) d
        LEFT JOIN (
            SELECT o.branch_id, t.created_at,
                   CASE WHEN m.type = 'cash' THEN t.amount ELSE t.amount - t.tendered_amount END AS amount
            FROM transactions t JOIN orders o ON o.tenant_id = $1 AND o.id = t.order_id
            JOIN payment_methods m ON m.tenant_id = $1 AND m.id = t.payment_method_id
            WHERE t.tenant_id = $1 AND {_STANDING}) t
            ON t.branch_id = d.branch_id AND t.created_at >= d.starts_at AND t.created_at < d.ends_at
        GROUP BY d.id, d.cash HAVING d.cash <> coalesce(sum(t.amount), 0)
        """,
}
