"""What must be true of a business's books whatever has happened, read from the whole of them."""

from collections.abc import Mapping
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

from asyncpg import Record

from frontdesk.postgres.pool import Connection
from tests.support.event_invariants import EVENT_INVARIANTS
from tests.support.report_invariants import REPORT_INVARIANTS


class Invariant(NamedTuple):
    """`query` gives the rows of tenant $1 that break it; `damage` breaks it, to prove that the query would tell."""

    damage: str
    query: str


async def broken_invariants(conn: Connection, tenant_id: UUID) -> list[str]:
    """Each broken one by its name, with the first rows that break it."""
    found = {name: await conn.fetch(one.query, tenant_id) for name, one in INVARIANTS.items()}
    found[_PAYMENT_STATUS] = await _list_wrong_payment_status(conn, tenant_id)
    return [f"{name}: {[dict(row) for row in rows[:3]]}" for name, rows in found.items() if rows]


async def stock_and_held(conn: Connection, tenant_id: UUID) -> Mapping[UUID, int]:
    """In stock, held by orders, and gone for good, by product: the same before and after whatever was sold.

    An order that stands holds what no refund put back into stock. One that is canceled put back everything but
    the units that a refund had returned without putting them back.
    """
    rows = await conn.fetch(
        """
        WITH held AS (
            SELECT s.item_id, sum(s.units * CASE o.status WHEN 'canceled' THEN coalesce(back.lost, 0)
                ELSE l.quantity - coalesce(back.stocked, 0) END) AS units
            FROM order_line_stock s
            JOIN order_lines l ON (l.tenant_id, l.id) = (s.tenant_id, s.line_id)
            JOIN orders o ON (o.tenant_id, o.id) = (s.tenant_id, s.order_id)
            LEFT JOIN (
                SELECT b.parent_line_id, sum(b.returned) FILTER (WHERE r.restocked) AS stocked,
                    sum(b.returned) FILTER (WHERE NOT r.restocked) AS lost FROM order_lines b
                JOIN refunds r ON (r.tenant_id, r.child_order_id) = (b.tenant_id, b.order_id)
                WHERE b.tenant_id = $1 GROUP BY b.parent_line_id) back ON back.parent_line_id = l.id
            WHERE s.tenant_id = $1 AND o.status <> 'draft' GROUP BY s.item_id
        )
        SELECT i.id, (i.stock + coalesce(held.units, 0))::integer AS units
        FROM items i LEFT JOIN held ON held.item_id = i.id WHERE i.tenant_id = $1 AND i.type = 'product'
        """,
        tenant_id,
    )
    return {row["id"]: row["units"] for row in rows}


def expected_payment_status(total: Decimal, paid: Decimal, refunded: Decimal) -> str:
    """The rule in words: given back counts first, then whether what was paid covers the total."""
    if refunded:
        return "refunded" if refunded >= paid else "partially_refunded"
    if paid >= total:
        return "paid"
    return "partially_paid" if paid > 0 else "unpaid"


_PAYMENT_STATUS = "an order's payment status follows from what was paid and given back"


async def _list_wrong_payment_status(conn: Connection, tenant_id: UUID) -> list[Record]:
    rows = await conn.fetch(
        """
        SELECT id, sum(total) AS total, min(shown) AS shown, sum(paid) AS paid, sum(back) AS refunded FROM (
            SELECT id, total, payment_status(total, paid_amount, refunded_amount) AS shown, 0 AS paid, 0 AS back
            FROM orders WHERE tenant_id = $1 AND parent_id IS NULL
            UNION ALL
            SELECT order_id, 0, NULL, amount, 0 FROM transactions
            WHERE tenant_id = $1 AND refund_of_id IS NULL AND status IN ('confirmed', 'refunded')
            UNION ALL
            SELECT t.order_id, 0, NULL, 0, -b.amount FROM transactions b
            JOIN transactions t ON (t.tenant_id, t.id) = (b.tenant_id, b.refund_of_id) WHERE b.tenant_id = $1) o
        GROUP BY id
        """,
        tenant_id,
    )
    return [row for row in rows if row["shown"] != expected_payment_status(row["total"], row["paid"], row["refunded"])]


INVARIANTS = {
    "an order is read as it is rendered": Invariant(
        """
        INSERT INTO order_documents (tenant_id, order_id, versions, document, rendered_at)
        SELECT o.tenant_id, o.id, r.versions, '{}', now()
        FROM (SELECT DISTINCT ON (tenant_id) tenant_id, id FROM orders) o, render_order(o.tenant_id, o.id) r
        ON CONFLICT (tenant_id, order_id) DO UPDATE SET versions = excluded.versions, document = '{}'
        """,
        """
        SELECT order_id FROM order_documents WHERE tenant_id = $1
            AND current_order_document(tenant_id, order_id)::jsonb <> order_document(tenant_id, order_id)::jsonb
        """,
    ),
    "no provider is booked twice at once": Invariant(
        """
        ALTER TABLE bookings DROP CONSTRAINT bookings_no_overlap;
        UPDATE bookings SET (during, busy) = (SELECT during, busy FROM bookings WHERE is_active LIMIT 1) WHERE is_active
        """,
        """
        SELECT a.id, b.id AS other FROM bookings a
        JOIN bookings b ON a.tenant_id = b.tenant_id AND a.staff_id = b.staff_id AND a.busy && b.busy
        WHERE a.tenant_id = $1 AND a.id < b.id AND a.is_active AND b.is_active
        """,
    ),
    "the busy minutes of providers are exactly those of the active bookings": Invariant(
        "UPDATE staff_busy_days SET minutes = ~minutes",
        """
        WITH marked AS (
            SELECT d.staff_id, d.day::timestamp + m * interval '1 minute' AS minute
            FROM staff_busy_days d, generate_series(0, 1439) m
            WHERE d.tenant_id = $1 AND get_bit(d.minutes, 1439 - m) = 1
        ), booked AS (
            SELECT b.staff_id, generate_series(lower(b.busy) AT TIME ZONE 'UTC',
                upper(b.busy) AT TIME ZONE 'UTC' - interval '1 minute', interval '1 minute') AS minute
            FROM bookings b WHERE b.tenant_id = $1 AND b.is_active
        )
        (SELECT * FROM marked EXCEPT SELECT * FROM booked) UNION ALL (SELECT * FROM booked EXCEPT SELECT * FROM marked)
        """,
    ),
    "a booking is live exactly while its order is neither canceled nor a draft": Invariant(
        "UPDATE bookings SET is_active = false",
        """
        SELECT b.id, b.is_active, o.status FROM bookings b
        JOIN orders o ON (o.tenant_id, o.id) = (b.tenant_id, b.order_id)
        WHERE b.tenant_id = $1 AND b.is_active <> (o.status NOT IN ('canceled', 'draft'))
        """,
    ),
    "an order with a start that is no draft has a booking for each service, of that provider and length": Invariant(
        "DELETE FROM bookings WHERE reference LIKE '%-2'",
        """
        SELECT l.id, b.id AS booking FROM order_lines l JOIN orders o ON (o.tenant_id, o.id) = (l.tenant_id, l.order_id)
        LEFT JOIN bookings b ON (b.tenant_id, b.line_id) = (l.tenant_id, l.id)
        WHERE l.tenant_id = $1 AND l.type = 'service' AND o.parent_id IS NULL AND o.starts_at IS NOT NULL
          AND o.status NOT IN ('draft', 'canceled')
          AND (b.id IS NULL OR (b.order_id, b.item_id, b.staff_id) <> (l.order_id, l.item_id, l.staff_id)
            OR upper(b.during) - lower(b.during) <> l.duration * interval '1 minute')
        """,
    ),
    "the services of an order follow each other from its start, in the order of its lines": Invariant(
        "UPDATE orders SET starts_at = starts_at + interval '1 minute' WHERE starts_at IS NOT NULL",
        """
        SELECT * FROM (
            SELECT o.id, lower(b.during) AS begins,
                   coalesce(lag(upper(b.during)) OVER (PARTITION BY o.id ORDER BY l.position), o.starts_at) AS expected
            FROM bookings b JOIN order_lines l ON (l.tenant_id, l.id) = (b.tenant_id, b.line_id)
            JOIN orders o ON (o.tenant_id, o.id) = (b.tenant_id, b.order_id) WHERE b.tenant_id = $1) k
        WHERE begins IS DISTINCT FROM expected
        """,
    ),
    "the history of an order's time leads to its start, step by step": Invariant(
        """
        INSERT INTO order_status_history (tenant_id, id, order_id, from_status, to_status, changed_by_type,
                                          previous_start, new_start)
        SELECT tenant_id, gen_random_uuid(), id, status, status, 'system', starts_at, starts_at + interval '1 hour'
        FROM orders WHERE starts_at IS NOT NULL
        """,
        """
        SELECT * FROM (
            SELECT o.id, o.starts_at, h.previous_start, h.new_start, lag(h.new_start) OVER w AS earlier,
                   lead(h.new_start) OVER w AS later
            FROM order_status_history h JOIN orders o ON (o.tenant_id, o.id) = (h.tenant_id, h.order_id)
            WHERE h.tenant_id = $1 AND h.new_start IS NOT NULL
            WINDOW w AS (PARTITION BY o.id ORDER BY h.created_at)) h
        WHERE earlier IS NOT NULL AND previous_start <> earlier OR later IS NULL AND new_start <> starts_at
        """,
    ),
    "no order is without lines, and it adds up to them": Invariant(
        "UPDATE orders SET sub_total = sub_total + 1 WHERE order_number = 3",
        """
        SELECT o.id, o.total FROM orders o
        LEFT JOIN (SELECT order_id, sum(price * quantity) AS sub_total, sum(discount_amount) AS off, sum(total) AS total
                   FROM order_lines WHERE tenant_id = $1 GROUP BY order_id) l ON l.order_id = o.id
        WHERE o.tenant_id = $1
          AND (o.sub_total, o.discount_amount, o.total) IS DISTINCT FROM (l.sub_total, l.off, l.total)
        """,
    ),
    "the tax of an order is that of its lines, and its invoice and refunds agree": Invariant(
        "UPDATE orders SET tax_amount = tax_amount + 0.01 WHERE order_number = 3",
        """
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
    ),
    "what is paid is the sum of the payments that were confirmed, and never more than the total": Invariant(
        "UPDATE transactions SET status = 'refused' WHERE amount > 0",
        """
        SELECT o.id, o.paid_amount, t.amount FROM orders o LEFT JOIN (
            SELECT order_id, sum(amount) AS amount FROM transactions
            WHERE tenant_id = $1 AND refund_of_id IS NULL AND status IN ('confirmed', 'refunded') GROUP BY order_id
        ) t ON t.order_id = o.id
        WHERE o.tenant_id = $1 AND o.parent_id IS NULL
          AND (o.paid_amount <> coalesce(t.amount, 0) OR o.paid_amount > o.total)
        """,
    ),
    "what is given back is the sum of the refunds, of their orders and of their transactions": Invariant(
        "UPDATE refunds SET amount = amount + 1",
        """
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
    ),
    "no payment and no line is given back beyond what it was": Invariant(
        "UPDATE order_lines SET returned = returned + 9 WHERE parent_line_id IS NOT NULL",
        """
        SELECT t.id FROM transactions t JOIN transactions b ON (b.tenant_id, b.refund_of_id) = (t.tenant_id, t.id)
        WHERE t.tenant_id = $1 GROUP BY t.id, t.amount HAVING t.amount + sum(b.amount) < 0
        UNION ALL
        SELECT l.id FROM order_lines l JOIN order_lines b ON (b.tenant_id, b.parent_line_id) = (l.tenant_id, l.id)
        WHERE l.tenant_id = $1 GROUP BY l.id, l.quantity HAVING l.quantity < sum(b.returned)
        """,
    ),
    "numbers start at 1 and have no gaps, in the order of its time": Invariant(
        "UPDATE orders SET created_at = created_at + interval '30 days' WHERE order_number = 3",
        """
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
    ),
    "the counters stand at the last number used, or at the number of rows": Invariant(
        "UPDATE tenant_counters SET value = value + 1 WHERE name = 'order_number'",
        """
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
    ),
    "the history leads from nothing to the order's status, step by step": Invariant(
        "DELETE FROM order_status_history WHERE to_status = 'in-progress'",
        """
        SELECT h.* FROM (
            SELECT o.id, o.status, h.id AS step, h.from_status, h.to_status,
                   lag(to_status) OVER w AS earlier, lead(to_status) OVER w AS later
            FROM orders o LEFT JOIN order_status_history h ON (h.tenant_id, h.order_id) = (o.tenant_id, o.id)
            WHERE o.tenant_id = $1 WINDOW w AS (PARTITION BY o.id ORDER BY h.created_at)) h
        WHERE step IS NULL OR from_status IS DISTINCT FROM earlier OR later IS NULL AND to_status <> status
        """,
    ),
    "an invoice and its credit notes add up to what the order is worth": Invariant(
        """
        INSERT INTO invoices (tenant_id, id, invoice_number, order_id, seller, lines, currency, tax_rate, tax_amount,
                              total, qr)
        SELECT tenant_id, id, order_number + 1000000, id, '{}', '[]', currency, 0, 0, total, '' FROM orders
        WHERE status = 'canceled' ON CONFLICT DO NOTHING
        """,
        """
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
    ),
    "no order came back from canceled after money was given back": Invariant(
        """
        INSERT INTO order_status_history (tenant_id, id, order_id, from_status, to_status, changed_by_type, created_at)
        SELECT DISTINCT ON (tenant_id, parent_id) tenant_id, gen_random_uuid(), parent_id, 'canceled', 'confirmed',
            'system', created_at + interval '1 second'
        FROM orders WHERE parent_id IS NOT NULL
        """,
        """
        SELECT h.order_id FROM order_status_history h
        JOIN orders r ON (r.tenant_id, r.parent_id) = (h.tenant_id, h.order_id) AND r.created_at < h.created_at
        WHERE h.tenant_id = $1 AND h.from_status = 'canceled'
        """,
    ),
    "each refund of an invoice has a credit note of its amount, unless all of it was credited before": Invariant(
        """
        INSERT INTO invoices (tenant_id, id, invoice_number, order_id, seller, lines, currency, tax_rate, tax_amount,
                              total, qr)
        SELECT o.tenant_id, o.id, o.order_number + 2000000, o.id, '{}', '[]', o.currency, 0, 0, o.total, ''
        FROM orders o JOIN refunds r ON (r.tenant_id, r.order_id) = (o.tenant_id, o.id) ON CONFLICT DO NOTHING
        """,
        """
        SELECT r.child_order_id, r.amount, c.total FROM refunds r
        LEFT JOIN invoices i ON (i.tenant_id, i.order_id) = (r.tenant_id, r.order_id)
        LEFT JOIN credit_notes c ON (c.tenant_id, c.order_id) = (r.tenant_id, r.child_order_id)
        JOIN orders o ON o.tenant_id = $1 AND o.id = r.child_order_id
        WHERE r.tenant_id = $1 AND (c.invoice_id <> i.id OR c.total <> r.amount OR (c.id IS NULL AND i.id IS NOT NULL
            AND NOT EXISTS (SELECT FROM order_status_history h WHERE h.tenant_id = $1 AND h.order_id = r.order_id
                AND h.to_status = 'canceled' AND h.created_at <= o.created_at)) OR (c.id IS NOT NULL AND i.id IS NULL))
        """,
    ),
    "a credit note belongs to a refund of its invoice, or to the canceled order itself": Invariant(
        """
        INSERT INTO invoices (tenant_id, id, invoice_number, order_id, seller, lines, currency, tax_rate, tax_amount,
                              total, qr)
        SELECT o.tenant_id, o.id, o.order_number + 3000000, o.id, '{}', '[]', o.currency, 0, 0, o.total, ''
        FROM orders o WHERE o.parent_id IS NULL AND o.status <> 'canceled' ON CONFLICT DO NOTHING;
        INSERT INTO credit_notes (tenant_id, id, credit_note_number, invoice_id, order_id, seller, lines, currency,
                                  tax_rate, tax_amount, total, qr)
        SELECT i.tenant_id, i.id, i.invoice_number, i.id, i.order_id, '{}', '[]', i.currency, 0, 0, 1, ''
        FROM invoices i ON CONFLICT DO NOTHING
        """,
        """
        SELECT c.id FROM credit_notes c
        JOIN invoices i ON (i.tenant_id, i.id) = (c.tenant_id, c.invoice_id)
        JOIN orders o ON (o.tenant_id, o.id) = (c.tenant_id, c.order_id)
        WHERE c.tenant_id = $1 AND NOT (o.parent_id IS NOT DISTINCT FROM i.order_id
            OR (o.id = i.order_id AND o.status = 'canceled'))
        """,
    ),
    "credit notes take back no more than their invoice, nor more of its tax": Invariant(
        """
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
        """
        SELECT i.id FROM invoices i JOIN credit_notes c ON (c.tenant_id, c.invoice_id) = (i.tenant_id, i.id)
        WHERE i.tenant_id = $1 GROUP BY i.id, i.total, i.tax_amount
        HAVING sum(c.total) > i.total OR sum(c.tax_amount) > i.tax_amount
            OR (sum(c.total) = i.total AND sum(c.tax_amount) <> i.tax_amount)
        """,
    ),
    "every key of a retry has its answer": Invariant(
        """
        INSERT INTO idempotency_records (tenant_id, caller_id, key, fingerprint, status, body)
        SELECT id, id, 'half', '', 0, '' FROM tenants
        """,
        """
        SELECT key, status FROM idempotency_records
        WHERE tenant_id = $1 AND (status NOT BETWEEN 200 AND 299 OR length(body) = 0)
        """,
    ),
    "the options of a product add up to its stock, where all of them have one": Invariant(
        "UPDATE items SET stock = stock + 1 WHERE type = 'product'",
        """
        SELECT i.id, i.stock, sum(v.quantity) AS options FROM items i
        JOIN item_options v ON (v.tenant_id, v.item_id) = (i.tenant_id, i.id)
        WHERE i.tenant_id = $1 AND i.type = 'product' GROUP BY i.id, i.stock
        HAVING bool_and(v.quantity IS NOT NULL) AND i.stock IS DISTINCT FROM sum(v.quantity)
        """,
    ),
    "nothing is sold that is not there": Invariant(
        "ALTER TABLE items DROP CONSTRAINT items_stock_non_negative; "
        "UPDATE items SET stock = -1 WHERE type = 'product'",
        "SELECT id, stock FROM items WHERE tenant_id = $1 AND stock < 0",
    ),
    **{name: Invariant(*one) for name, one in (EVENT_INVARIANTS | REPORT_INVARIANTS).items()},
}
