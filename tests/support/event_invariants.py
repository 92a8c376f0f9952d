"""What must be true of the events of a business: one for each change, none for a change that did not happen.

Each by its name, with what breaks it and the query that then finds it. A sandbox is loaded without telling anything,
so orders, transactions and stock are compared with the events about them, from the first one onward.
"""

_TELL = """
INSERT INTO events (tenant_id, id, sequence, type, data)
SELECT t.id, gen_random_uuid(), coalesce((SELECT max(e.sequence) FROM events e WHERE e.tenant_id = t.id), 0) + {step},
       '{kind}', {data} FROM tenants t
"""
_OLD_ORDER = "json_build_object('order', json_build_object('id', o.id, 'order_number', o.order_number::text, {more}))"
_TELL_OF_ORDERS = f"""
INSERT INTO events (tenant_id, id, sequence, type, data)
SELECT o.tenant_id, gen_random_uuid(), o.order_number + 5000000000, 'order.created', {_OLD_ORDER} FROM orders o
"""
_MONEY = "payment_status(o.total, o.paid_amount, o.refunded_amount)"


def _of_orders(more: str, which: str = "") -> str:
    return _TELL_OF_ORDERS.format(more=more) + which


EVENT_INVARIANTS: dict[str, tuple[str, str]] = {
    "events are numbered from 1 without a gap, in the order of their times": (
        _TELL.format(step=2, kind="webhook.ping", data="'{}'"),
        """
        SELECT * FROM (
            SELECT sequence, row_number() OVER (ORDER BY created_at, sequence) AS place FROM events WHERE tenant_id = $1
        ) n WHERE sequence <> place
        """,
    ),
    "the counter of events stands at the last one": (
        _TELL.format(step=1, kind="webhook.ping", data="'{}'"),
        """
        SELECT max(e.sequence) AS last, c.value FROM events e
        LEFT JOIN tenant_counters c ON c.tenant_id = $1 AND c.name = 'events'
        WHERE e.tenant_id = $1 GROUP BY c.value HAVING max(e.sequence) IS DISTINCT FROM c.value
        """,
    ),
    "every order has one event, and no event has an unknown order": (
        _of_orders("'status', o.status", "WHERE o.order_number = 3"),
        """
        WITH emitted AS (
            SELECT (data -> 'order' ->> 'order_number')::bigint AS number, count(*) AS times
            FROM events WHERE tenant_id = $1 AND type = 'order.created' GROUP BY 1
        )
        SELECT o.order_number, t.number, t.times
        FROM (SELECT * FROM orders WHERE tenant_id = $1 AND order_number >= (SELECT min(number) FROM emitted)) o
        FULL JOIN emitted t ON t.number = o.order_number
        WHERE t.times IS DISTINCT FROM 1 OR o.order_number IS NULL
        """,
    ),
    "every transaction has one event, and no event has an unknown transaction": (
        """
        INSERT INTO events (tenant_id, id, sequence, type, data)
        SELECT tenant_id, gen_random_uuid(), 5000000000, 'transaction.created',
               json_build_object('transaction', json_build_object('transaction_no', transaction_no))
        FROM transactions WHERE transaction_no = 3
        """,
        """
        WITH emitted AS (
            SELECT (data -> 'transaction' ->> 'transaction_no')::bigint AS number, count(*) AS times
            FROM events WHERE tenant_id = $1 AND type = 'transaction.created' GROUP BY 1
        )
        SELECT t.transaction_no, emitted.number, emitted.times
        FROM (SELECT * FROM transactions
              WHERE tenant_id = $1 AND transaction_no >= (SELECT min(number) FROM emitted)) t
        FULL JOIN emitted ON emitted.number = t.transaction_no
        WHERE emitted.times IS DISTINCT FROM 1 OR t.transaction_no IS NULL
        """,
    ),
    "the last event about an order's status has its status, step by step": (
        _of_orders("'status', 'draft'"),
        """
        SELECT * FROM (
            SELECT order_id, sequence, status, previous, lag(status) OVER w AS earlier, lead(status) OVER w AS later
            FROM (SELECT sequence, (data -> 'order' ->> 'id')::uuid AS order_id, data ->> 'previous_status' AS previous,
                         coalesce(data ->> 'status', data -> 'order' ->> 'status') AS status
                  FROM events WHERE tenant_id = $1 AND type IN ('order.created', 'order.status_changed')) e
            WINDOW w AS (PARTITION BY order_id ORDER BY sequence)) emitted
        JOIN orders o ON o.tenant_id = $1 AND o.id = emitted.order_id
        WHERE earlier IS NOT NULL AND previous IS DISTINCT FROM earlier OR later IS NULL AND emitted.status <> o.status
        """,
    ),
    "every reschedule has one event": (
        _TELL.format(
            step=1, kind="order.rescheduled", data="json_build_object('order', json_build_object('id', t.id))"
        ),
        """
        SELECT h.order_id, h.moves, emitted.times FROM (
            SELECT order_id, count(*) AS moves FROM order_status_history
            WHERE tenant_id = $1 AND new_start IS NOT NULL GROUP BY order_id) h
        FULL JOIN (
            SELECT (data -> 'order' ->> 'id')::uuid AS order_id, count(*) AS times FROM events
            WHERE tenant_id = $1 AND type = 'order.rescheduled' GROUP BY 1) emitted USING (order_id)
        WHERE h.moves IS DISTINCT FROM emitted.times
        """,
    ),
    "the last event about an order's amounts has its amounts, step by step": (
        _of_orders("'status', o.status, 'payment_status', 'none'"),
        f"""
        SELECT * FROM (
            SELECT order_id, sequence, status, previous, lag(status) OVER w AS earlier, lead(status) OVER w AS later
            FROM (SELECT sequence, (data -> 'order' ->> 'id')::uuid AS order_id,
                         data ->> 'previous_payment_status' AS previous, data -> 'order' ->> 'payment_status' AS status
                  FROM events WHERE tenant_id = $1 AND type IN ('order.created', 'order.payment_status_changed')) e
            WINDOW w AS (PARTITION BY order_id ORDER BY sequence)) emitted
        JOIN orders o ON o.tenant_id = $1 AND o.id = emitted.order_id
        WHERE earlier IS NOT NULL AND previous IS DISTINCT FROM earlier OR later IS NULL AND emitted.status <> {_MONEY}
        """,
    ),
    "the last event about a product's stock has its stock, step by step": (
        """
        INSERT INTO events (tenant_id, id, sequence, type, data)
        SELECT tenant_id, gen_random_uuid(), row_number() OVER () + 5000000000, 'item.stock_changed',
               json_build_object('item', json_build_object('id', id), 'previous_stock', 0, 'stock', stock + 1)
        FROM items WHERE type = 'product'
        """,
        """
        SELECT * FROM (
            SELECT item_id, sequence, stock, previous, lag(stock) OVER w AS earlier, lead(stock) OVER w AS later
            FROM (SELECT sequence, (data -> 'item' ->> 'id')::uuid AS item_id, (data ->> 'stock')::integer AS stock,
                         (data ->> 'previous_stock')::integer AS previous
                  FROM events WHERE tenant_id = $1 AND type = 'item.stock_changed') e
            WINDOW w AS (PARTITION BY item_id ORDER BY sequence)) emitted
        JOIN items i ON i.tenant_id = $1 AND i.id = emitted.item_id
        WHERE earlier IS NOT NULL AND previous <> earlier OR later IS NULL AND emitted.stock <> coalesce(i.stock, 0)
           OR emitted.stock = previous AND i.stock IS NOT NULL
        """,
    ),
    "deliveries are of events of the same tenant, one for each webhook": (
        """
        WITH hook AS (
            INSERT INTO webhooks (tenant_id, id, client_id, url, events, secret)
            SELECT tenant_id, gen_random_uuid(), id, 'https://hooks.example.com', '{webhook.ping}', '' FROM api_clients
            RETURNING tenant_id, id
        ), event AS (
            INSERT INTO events (tenant_id, id, sequence, type, data)
            SELECT id, gen_random_uuid(), 5000000000, 'webhook.ping', '{}' FROM tenants RETURNING tenant_id, id
        )
        INSERT INTO webhook_deliveries (tenant_id, id, webhook_id, event_id)
        SELECT h.tenant_id, gen_random_uuid(), h.id, e.id FROM hook h JOIN event e ON e.tenant_id = h.tenant_id,
               generate_series(1, 2)
        """,
        """
        SELECT webhook_id, event_id FROM webhook_deliveries WHERE tenant_id = $1
        GROUP BY webhook_id, event_id HAVING count(*) > 1
        """,
    ),
}
