"""What breaks each rule, to prove that the rule finds it."""

from typing import Final

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


def _of_orders(more: str, which: str = "") -> str:
    return _TELL_OF_ORDERS.format(more=more) + which


# Closed shifts of one cashier at each branch, on drawers 1 to `number`.
_SHIFTS = """
INSERT INTO drawer_sessions (tenant_id, id, branch_id, drawer, cashier_id, float_amount, opened_by_type, opened_at,
                             counts_from, closed_at)
SELECT b.tenant_id, gen_random_uuid(), b.id, drawer, '{cashier}', 100, 'system', '2020-01-02', '2020-01-01', now()
FROM branches b, generate_series(1, {number}) drawer
"""
_CASHIER = "00000000-0000-4000-8000-000000000001"


DAMAGE: Final = {
    "no two sessions of a drawer, or of a cashier at a branch, have a time in common": _SHIFTS.format(
        cashier=_CASHIER, number=2
    ),
    "no payment is in two shifts": f"""
        UPDATE transactions SET created_by_type = 'user', created_by_id = '{_CASHIER}';
        {_SHIFTS.format(cashier=_CASHIER, number=2)}
        """,
    "a closed drawer was expected to hold its float, its cash and what was moved": f"""
        {_SHIFTS.format(cashier=_CASHIER, number=1)};
        INSERT INTO shift_closes (tenant_id, id, session_id, drawer, methods, closed_by_type, closed_at)
        SELECT tenant_id, gen_random_uuid(), id, '{{"expected": 99}}', '[]', 'system', closed_at FROM drawer_sessions
        WHERE cashier_id = '{_CASHIER}'
        """,
    "a shift that is closed has its count": _SHIFTS.format(cashier=_CASHIER, number=1),
    "the cash of a closed day is what was paid in its time": """
        INSERT INTO day_closes (tenant_id, id, close_number, branch_id, day, starts_at, ends_at, currency, cashiers,
                                day_cashiers, closed_by_type, closed_at)
        SELECT tenant_id, gen_random_uuid(), 1000 + row_number() OVER (), id, '2020-01-01', '2020-01-01', '2020-01-02',
               'SAR', '[{"expected_cash": 1}]', '[]', 'system', now()
        FROM branches
        """,
    "an order is read as it is rendered": """
        INSERT INTO order_documents (tenant_id, order_id, versions, document, rendered_at)
        SELECT o.tenant_id, o.id, rendering_generation() || ' ' || r.versions, '{}', now()
        FROM (SELECT DISTINCT ON (tenant_id) tenant_id, id FROM orders) o, render_order(o.tenant_id, o.id) r
        ON CONFLICT (tenant_id, order_id) DO UPDATE SET versions = excluded.versions, document = '{}'
        """,
    "no provider is booked twice at once, except on purpose": """
        ALTER TABLE bookings DROP CONSTRAINT bookings_no_overlap;
        UPDATE bookings SET (during, busy) = (
            SELECT during, busy FROM bookings WHERE is_active AND NOT is_extra AND ended_at IS NULL LIMIT 1)
        WHERE is_active AND NOT is_extra
        """,
    "the busy minutes of providers are exactly those of the active bookings": (
        "UPDATE staff_busy_days SET minutes = ~minutes"
    ),
    "a booking is live exactly while its order is neither canceled nor a draft": (
        "UPDATE bookings SET is_active = false"
    ),
    "an order with a start that is no draft has a booking for each service, of that provider and length": (
        "DELETE FROM bookings WHERE reference LIKE '%-2'"
    ),
    "the services of an order follow each other from its start, in the order of its lines": (
        "UPDATE orders SET starts_at = starts_at + interval '1 minute' WHERE starts_at IS NOT NULL"
    ),
    "the history of an order's time leads to its start, step by step": """
        INSERT INTO order_status_history (tenant_id, id, order_id, from_status, to_status, changed_by_type,
                                          previous_start, new_start)
        SELECT tenant_id, gen_random_uuid(), id, status, status, 'system', starts_at, starts_at + interval '1 hour'
        FROM orders WHERE starts_at IS NOT NULL
        """,
    "no order is without lines, and it adds up to them": (
        "UPDATE orders SET sub_total = sub_total + 1 WHERE order_number = 3"
    ),
    "the tax of an order is that of its lines, and its invoice and refunds agree": (
        "UPDATE orders SET tax_amount = tax_amount + 0.01 WHERE order_number = 3"
    ),
    "what is paid is the sum of the payments that were confirmed, and never more than the total": (
        "UPDATE transactions SET status = 'refused' WHERE amount > 0"
    ),
    "what is given back is the sum of the refunds, of their orders and of their transactions": (
        "UPDATE refunds SET amount = amount + 1"
    ),
    "no payment and no line is given back beyond what it was": (
        "UPDATE order_lines SET returned = returned + 9 WHERE parent_line_id IS NOT NULL"
    ),
    "numbers start at 1 and have no gaps, in the order of its time": (
        "UPDATE orders SET created_at = created_at + interval '30 days' WHERE order_number = 3"
    ),
    "the counters stand at the last number used, or at the number of rows": (
        "UPDATE tenant_counters SET value = value + 1 WHERE name = 'order_number'"
    ),
    "the history leads from nothing to the order's status, step by step": (
        "DELETE FROM order_status_history WHERE to_status = 'in-progress'"
    ),
    "an invoice and its credit notes add up to what the order is worth": """
        INSERT INTO invoices (tenant_id, id, invoice_number, order_id, seller, lines, currency, tax_rate, tax_amount,
                              total, qr)
        SELECT tenant_id, id, order_number + 1000000, id, '{}', '[]', currency, 0, 0, total, '' FROM orders
        WHERE status = 'canceled' ON CONFLICT DO NOTHING
        """,
    "no order came back from canceled after money was given back": """
        INSERT INTO order_status_history (tenant_id, id, order_id, from_status, to_status, changed_by_type, created_at)
        SELECT DISTINCT ON (tenant_id, parent_id) tenant_id, gen_random_uuid(), parent_id, 'canceled', 'confirmed',
            'system', created_at + interval '1 second'
        FROM orders WHERE parent_id IS NOT NULL
        """,
    "each refund of an invoice has a credit note of its amount, unless all of it was credited before": """
        INSERT INTO invoices (tenant_id, id, invoice_number, order_id, seller, lines, currency, tax_rate, tax_amount,
                              total, qr)
        SELECT o.tenant_id, o.id, o.order_number + 2000000, o.id, '{}', '[]', o.currency, 0, 0, o.total, ''
        FROM orders o JOIN refunds r ON (r.tenant_id, r.order_id) = (o.tenant_id, o.id) ON CONFLICT DO NOTHING
        """,
    "a credit note belongs to a refund of its invoice, or to the canceled order itself": """
        INSERT INTO invoices (tenant_id, id, invoice_number, order_id, seller, lines, currency, tax_rate, tax_amount,
                              total, qr)
        SELECT o.tenant_id, o.id, o.order_number + 3000000, o.id, '{}', '[]', o.currency, 0, 0, o.total, ''
        FROM orders o WHERE o.parent_id IS NULL AND o.status <> 'canceled' ON CONFLICT DO NOTHING;
        INSERT INTO credit_notes (tenant_id, id, credit_note_number, invoice_id, order_id, seller, lines, currency,
                                  tax_rate, tax_amount, total, qr)
        SELECT i.tenant_id, i.id, i.invoice_number, i.id, i.order_id, '{}', '[]', i.currency, 0, 0, 1, ''
        FROM invoices i ON CONFLICT DO NOTHING
        """,
    "credit notes take back no more than their invoice, nor more of its tax": """
        ALTER TABLE invoices DISABLE TRIGGER USER;
        INSERT INTO invoices (tenant_id, id, invoice_number, order_id, seller, lines, currency, tax_rate, tax_amount,
                              total, qr)
        SELECT o.tenant_id, o.id, o.order_number + 2000000, o.id, '{}', '[]', o.currency, 0, 0, 0, '' FROM orders o
        WHERE o.parent_id IS NULL ON CONFLICT DO NOTHING;
        INSERT INTO credit_notes (tenant_id, id, credit_note_number, invoice_id, order_id, seller, lines, currency,
                                  tax_rate, tax_amount, total, qr)
        SELECT tenant_id, id, order_number + 2000000, parent_id, id, '{}', '[]', currency, 0, 0, -total, '' FROM orders
        WHERE parent_id IN (SELECT id FROM invoices) ON CONFLICT DO NOTHING
        """,
    "every key of a retry has its answer": """
        INSERT INTO idempotency_records (tenant_id, caller_id, key, fingerprint, status, body)
        SELECT id, id, 'half', '', 0, '' FROM tenants
        """,
    "the options of a product add up to its stock, where all of them have one": (
        "UPDATE items SET stock = stock + 1 WHERE type = 'product'"
    ),
    "nothing is sold that is not there": (
        "ALTER TABLE items DROP CONSTRAINT items_stock_non_negative; UPDATE items SET stock = -1 WHERE type = 'product'"
    ),
    "sales by item and provider are the lines of what stands": "UPDATE item_sums SET total = total + 0.01",
    "sales by source and tax rate are the lines of what stands": (
        "UPDATE source_sums SET tax_amount = tax_amount + 0.01"
    ),
    "the reports count every order that stands, and every refund": "UPDATE source_sums SET orders = orders + 1",
    "sales by customer are the orders of what stands": "UPDATE customer_sums SET orders = orders + 1",
    "sales of a month by item and provider are those of its days": (
        "UPDATE item_sums SET total = total + 0.01 WHERE is_month"
    ),
    "sales of a month by customer are those of its days": (
        "UPDATE customer_sums SET orders = orders + 1 WHERE is_month"
    ),
    "payments by method are the transactions and the tips": "UPDATE method_sums SET amount = amount + 0.01",
    "an order's payment status follows from what was paid and given back": (
        "UPDATE orders SET paid_amount = 0, refunded_amount = 0 WHERE parent_id IS NULL"
    ),
    "events are numbered from 1 without a gap, in the order of their times": _TELL.format(
        step=2, kind="webhook.ping", data="'{}'"
    ),
    "the counter of events stands at the last one": _TELL.format(step=1, kind="webhook.ping", data="'{}'"),
    "every order has one event, and no event has an unknown order": _of_orders(
        "'status', o.status", "WHERE o.order_number = 3"
    ),
    "every transaction has one event, and no event has an unknown transaction": """
        INSERT INTO events (tenant_id, id, sequence, type, data)
        SELECT tenant_id, gen_random_uuid(), 5000000000, 'transaction.created',
               json_build_object('transaction', json_build_object('transaction_no', transaction_no))
        FROM transactions WHERE transaction_no = 3
        """,
    "the last event about an order's status has its status, step by step": _of_orders("'status', 'draft'"),
    "every reschedule has one event": _TELL.format(
        step=1, kind="order.rescheduled", data="json_build_object('order', json_build_object('id', t.id))"
    ),
    "the last event about an order's amounts has its amounts, step by step": _of_orders(
        "'status', o.status, 'payment_status', 'none'"
    ),
    "the last event about a product's stock has its stock, step by step": """
        INSERT INTO events (tenant_id, id, sequence, type, data)
        SELECT tenant_id, gen_random_uuid(), row_number() OVER () + 5000000000, 'item.stock_changed',
               json_build_object('item', json_build_object('id', id), 'previous_stock', 0, 'stock', stock + 1)
        FROM items WHERE type = 'product'
        """,
    "deliveries are of events of the same tenant, one for each webhook": """
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
}
