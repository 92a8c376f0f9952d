"""What must be true of the events of a business: one for each change, none for a change that did not happen.

Events are deleted after thirty days (`webhooks/queries.py`), so the rules are about those that are younger. A sandbox
is loaded without events, so orders, transactions and stock are compared with the events about them, from the first one
onward. An archive of an early version has no events, so a business that was made from one has those since then; a
sandbox has those since it was reset.
"""

from typing import Final

_KEPT = "tenant_id = $1 AND created_at >= now() - interval '30 days'"
# The event of an order or a transaction of this age exists, whenever exactly it was emitted.
_SURELY_KEPT = "created_at >= now() - interval '29 days'"
_RESTORED = """SELECT max(created_at) AS at FROM activity WHERE tenant_id = $1
        AND action IN ('business.restored', 'sandbox.reset', 'sandbox.snapshot_restored')"""
_MONEY = "payment_status(o.total, o.paid_amount, o.refunded_amount)"

RULES: Final = {
    "events are numbered from 1 without a gap, in the order of their times": f"""
        SELECT e.sequence, e.place FROM (
            SELECT sequence, row_number() OVER (ORDER BY created_at, sequence) AS place, min(sequence) OVER () AS first
            FROM events WHERE {_KEPT}) e
        JOIN tenants t ON t.id = $1 CROSS JOIN ({_RESTORED}) restored
        WHERE e.sequence <> e.place - 1 + CASE
            WHEN t.created_at >= now() - interval '30 days' AND restored.at IS NULL THEN 1 ELSE e.first END
        """,
    "the counter of events stands at the last one": f"""
        SELECT max(e.sequence) AS last, c.value FROM (SELECT sequence FROM events WHERE {_KEPT}) e
        LEFT JOIN tenant_counters c ON c.tenant_id = $1 AND c.name = 'events'
        GROUP BY c.value HAVING max(e.sequence) IS DISTINCT FROM c.value
        """,
    "every order has one event, and no event has an unknown order": f"""
        WITH emitted AS (
            SELECT (data -> 'order' ->> 'order_number')::bigint AS number, count(*) AS times
            FROM events WHERE tenant_id = $1 AND type = 'order.created' GROUP BY 1
        )
        SELECT o.id, e.number, e.times FROM (SELECT * FROM orders WHERE tenant_id = $1) o
        FULL JOIN emitted e ON o.order_number = e.number
        WHERE o.id IS NULL OR e.times > 1 OR e.times IS NULL
            AND o.order_number >= (SELECT min(number) FROM emitted) AND o.{_SURELY_KEPT}
        """,
    "every transaction has one event, and no event has an unknown transaction": f"""
        WITH emitted AS (
            SELECT (data -> 'transaction' ->> 'transaction_no')::bigint AS number, count(*) AS times
            FROM events WHERE tenant_id = $1 AND type = 'transaction.created' GROUP BY 1
        )
        SELECT t.id, e.number, e.times FROM (SELECT * FROM transactions WHERE tenant_id = $1) t
        FULL JOIN emitted e ON t.transaction_no = e.number
        WHERE t.id IS NULL OR e.times > 1 OR e.times IS NULL
            AND t.transaction_no >= (SELECT min(number) FROM emitted) AND t.{_SURELY_KEPT}
        """,
    "the last event about an order's status has its status, step by step": f"""
        SELECT o.id, emitted.sequence, emitted.status, o.status AS status_now FROM (
            SELECT order_id, sequence, status, previous, lag(status) OVER w AS earlier, lead(status) OVER w AS later
            FROM (SELECT sequence, (data -> 'order' ->> 'id')::uuid AS order_id, data ->> 'previous_status' AS previous,
                         coalesce(data ->> 'status', data -> 'order' ->> 'status') AS status
                  FROM events WHERE {_KEPT} AND type IN ('order.created', 'order.status_changed')) e
            WINDOW w AS (PARTITION BY order_id ORDER BY sequence)) emitted
        JOIN orders o ON o.tenant_id = $1 AND o.id = emitted.order_id
        WHERE earlier IS NOT NULL AND previous IS DISTINCT FROM earlier OR later IS NULL AND emitted.status <> o.status
        """,
    "every reschedule has one event": f"""
        SELECT order_id, h.moves, emitted.times FROM (
            SELECT order_id, count(*) AS moves, min(created_at) AS created_at FROM order_status_history
            WHERE tenant_id = $1 AND new_start IS NOT NULL GROUP BY order_id) h
        FULL JOIN (
            SELECT (data -> 'order' ->> 'id')::uuid AS order_id, count(*) AS times FROM events
            WHERE tenant_id = $1 AND type = 'order.rescheduled' GROUP BY 1) emitted USING (order_id)
        CROSS JOIN ({_RESTORED}) restored
        WHERE coalesce(emitted.times, 0) > coalesce(h.moves, 0)
           OR h.moves IS DISTINCT FROM emitted.times AND h.{_SURELY_KEPT}
            AND (h.created_at > restored.at) IS NOT FALSE
        """,
    "the last event about an order's amounts has its amounts, step by step": f"""
        SELECT o.id, emitted.sequence, emitted.status, {_MONEY} AS status_now FROM (
            SELECT order_id, sequence, status, previous, lag(status) OVER w AS earlier, lead(status) OVER w AS later
            FROM (SELECT sequence, (data -> 'order' ->> 'id')::uuid AS order_id,
                         data ->> 'previous_payment_status' AS previous, data -> 'order' ->> 'payment_status' AS status
                  FROM events WHERE {_KEPT} AND type IN ('order.created', 'order.payment_status_changed')) e
            WINDOW w AS (PARTITION BY order_id ORDER BY sequence)) emitted
        JOIN orders o ON o.tenant_id = $1 AND o.id = emitted.order_id
        WHERE earlier IS NOT NULL AND previous IS DISTINCT FROM earlier OR later IS NULL AND emitted.status <> {_MONEY}
        """,
    "the last event about a product's stock has its stock, step by step": f"""
        SELECT i.id, emitted.sequence, emitted.stock, i.stock AS stock_now FROM (
            SELECT item_id, sequence, stock, previous, lag(stock) OVER w AS earlier, lead(stock) OVER w AS later
            FROM (SELECT sequence, (data -> 'item' ->> 'id')::uuid AS item_id, (data ->> 'stock')::integer AS stock,
                         (data ->> 'previous_stock')::integer AS previous
                  FROM events WHERE {_KEPT} AND type = 'item.stock_changed') e
            WINDOW w AS (PARTITION BY item_id ORDER BY sequence)) emitted
        JOIN items i ON i.tenant_id = $1 AND i.id = emitted.item_id
        WHERE earlier IS NOT NULL AND previous <> earlier OR later IS NULL AND emitted.stock <> coalesce(i.stock, 0)
           OR emitted.stock = previous AND i.stock IS NOT NULL
        """,
    "deliveries are of events of the same tenant, one for each webhook": """
        SELECT webhook_id, event_id FROM webhook_deliveries WHERE tenant_id = $1
        GROUP BY webhook_id, event_id HAVING count(*) > 1
        """,
}
