"""Rules that hold of every order, booking and payment; each query gives the rows of tenant $1 that break one."""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from asyncpg import Record

from frontdesk.postgres.pool import Connection


class Rule(NamedTuple):
    """`damage` breaks the rule, to prove that its query would tell."""

    damage: str
    query: str


async def list_breaking(conn: Connection, rule: Rule, tenant_id: UUID, now: datetime) -> list[Record]:
    """$2 is the moment at which the business is looked at, where that matters."""
    moment = [now] if "$2" in rule.query else []
    return await conn.fetch(rule.query, tenant_id, *moment)


async def find_broken_rules(conn: Connection, tenant_id: UUID, now: datetime) -> dict[str, list[Record]]:
    found = {name: await list_breaking(conn, rule, tenant_id, now) for name, rule in RULES.items()}
    return {name: rows for name, rows in found.items() if rows}


RULES = {
    "a discount is stored in the form in which a new order stores it": Rule(
        """UPDATE orders SET discount = '{"type": "fixed", "amount": 1}' WHERE order_number = 5""",
        """
        SELECT discount FROM orders
        WHERE tenant_id = $1 AND discount IS NOT NULL AND NOT discount ?& ARRAY['kind', 'amount', 'apply_all']
        """,
    ),
    "orders are numbered from 1 without a gap, in the order in which they were made": Rule(
        "UPDATE orders SET order_number = 9999 WHERE order_number = 5",
        """
        SELECT order_number FROM (SELECT order_number, row_number() OVER (ORDER BY created_at, id) AS place
                                  FROM orders WHERE tenant_id = $1) o
        WHERE order_number <> place
        """,
    ),
    "transactions are numbered from 1 without a gap, in the order in which they were made": Rule(
        "UPDATE transactions SET transaction_no = 9999 WHERE transaction_no = 5",
        """
        SELECT transaction_no FROM (
            SELECT transaction_no, row_number() OVER (ORDER BY created_at, transaction_no) AS place
            FROM transactions WHERE tenant_id = $1) t
        WHERE transaction_no <> place
        """,
    ),
    "the counters stand at the last number used": Rule(
        "UPDATE tenant_counters SET value = value + 1 WHERE name = 'transaction_no'",
        """
        SELECT u.*, c.value FROM (
            SELECT 'order_number', max(order_number) FROM orders WHERE tenant_id = $1
            UNION ALL SELECT 'transaction_no', max(transaction_no) FROM transactions WHERE tenant_id = $1
            UNION ALL SELECT 'rows:items', count(*) FROM items WHERE tenant_id = $1
            UNION ALL SELECT 'rows:customers', count(*) FROM customers WHERE tenant_id = $1) u (name, used)
        LEFT JOIN tenant_counters c ON c.tenant_id = $1 AND c.name = u.name
        WHERE c.value IS DISTINCT FROM u.used
        """,
    ),
    "nothing has happened yet that is still to come": Rule(
        "UPDATE transactions SET date = date + interval '30 days'",
        """
        SELECT id FROM orders WHERE tenant_id = $1 AND greatest(created_at, updated_at) > $2
        UNION ALL SELECT id FROM transactions WHERE tenant_id = $1 AND greatest(created_at, date) > $2
        UNION ALL SELECT id FROM order_status_history WHERE tenant_id = $1 AND created_at > $2
        UNION ALL SELECT id FROM customers WHERE tenant_id = $1 AND created_at > $2
        """,
    ),
    "a line is charged at the option's, the provider's or the catalogue's price": Rule(
        "UPDATE order_lines SET price = price + 1, total = total + quantity WHERE type = 'service'",
        """
        SELECT l.* FROM order_lines l
        LEFT JOIN items i ON (i.tenant_id, i.id) = (l.tenant_id, l.item_id)
        LEFT JOIN packages p ON (p.tenant_id, p.id) = (l.tenant_id, l.package_id)
        LEFT JOIN item_options o ON o.tenant_id = l.tenant_id AND o.id = ANY (l.option_ids)
        LEFT JOIN staff_services s ON (s.tenant_id, s.staff_id, s.item_id) = (l.tenant_id, l.staff_id, l.item_id)
        WHERE l.tenant_id = $1
          AND l.price <> coalesce(o.offer_price, o.price, s.price, i.offer_price, i.price, p.offer_price, p.price)
        """,
    ),
    "a line has the item's Arabic name": Rule(
        "UPDATE order_lines SET name = 'Haircut'",
        """
        SELECT l.* FROM order_lines l
        LEFT JOIN items i ON (i.tenant_id, i.id) = (l.tenant_id, l.item_id)
        LEFT JOIN packages p ON (p.tenant_id, p.id) = (l.tenant_id, l.package_id)
        WHERE l.tenant_id = $1
          AND l.name IS DISTINCT FROM coalesce(i.name, p.name) ->> 'ar'
        """,
    ),
    "an option belongs to the item of its line, and an item with options is never sold without": Rule(
        "UPDATE order_lines SET option_ids = '{}'",
        """
        SELECT l.* FROM order_lines l
        CROSS JOIN LATERAL (SELECT least(count(*), 1) AS wanted,
                                   count(*) FILTER (WHERE o.id = ANY (l.option_ids)) AS named
                            FROM item_options o WHERE o.tenant_id = l.tenant_id AND o.item_id = l.item_id) o
        WHERE l.tenant_id = $1 AND (cardinality(l.option_ids), o.named) <> (o.wanted, o.wanted)
        """,
    ),
    "an order adds up to its lines": Rule(
        "UPDATE orders SET sub_total = sub_total + 1 WHERE order_number = 5",
        """
        SELECT o.* FROM orders o
        LEFT JOIN (SELECT order_id, sum(price * quantity) AS sub_total, sum(discount_amount) AS off, sum(total) AS total
                   FROM order_lines WHERE tenant_id = $1 GROUP BY order_id) l ON l.order_id = o.id
        WHERE o.tenant_id = $1
          AND (o.sub_total, o.discount_amount, o.total) IS DISTINCT FROM (l.sub_total, l.off, l.total)
        """,
    ),
    "an order's amounts have no more decimals than the currency": Rule(
        "UPDATE transactions SET amount = amount + 0.001, tendered_amount = NULL WHERE amount > 0",
        """
        SELECT id FROM orders WHERE tenant_id = $1
          AND (total, discount_amount, paid_amount) IS DISTINCT FROM
              (round(total, 2), round(discount_amount, 2), round(paid_amount, 2))
        UNION ALL SELECT id FROM order_lines WHERE tenant_id = $1 AND total <> round(total, 2)
        UNION ALL SELECT id FROM transactions WHERE tenant_id = $1 AND amount <> round(amount, 2)
        """,
    ),
    "what is paid is the sum of the confirmed transactions": Rule(
        "UPDATE transactions SET status = 'refused' WHERE status = 'confirmed'",
        """
        SELECT o.* FROM orders o WHERE o.tenant_id = $1
          AND o.paid_amount <> (SELECT coalesce(sum(amount), 0) FROM transactions t
                                WHERE t.tenant_id = $1 AND t.order_id = o.id AND t.status = 'confirmed')
        """,
    ),
    "what is refunded is the sum of the refunds, of the child orders and of their transactions": Rule(
        "UPDATE refunds SET amount = amount + 1",
        """
        SELECT o.* FROM orders o WHERE o.tenant_id = $1 AND o.parent_id IS NULL
          AND (o.refunded_amount <> (SELECT coalesce(sum(amount), 0) FROM refunds r
                                     WHERE r.tenant_id = $1 AND r.order_id = o.id)
            OR o.refunded_amount <> (SELECT -coalesce(sum(total), 0) FROM orders c
                                     WHERE c.tenant_id = $1 AND c.parent_id = o.id)
            OR o.refunded_amount <> (SELECT -coalesce(sum(t.amount), 0) FROM transactions t
                                     JOIN transactions paid ON (paid.tenant_id, paid.id) = (t.tenant_id, t.refund_of_id)
                                     WHERE t.tenant_id = $1 AND paid.order_id = o.id))
        """,
    ),
    "a refund gives back pieces of a line of its sale, later and at the price of the sale": Rule(
        "UPDATE orders SET status = 'confirmed' WHERE parent_id IS NOT NULL",
        """
        SELECT c.* FROM orders c
        JOIN order_lines l ON l.tenant_id = c.tenant_id AND l.order_id = c.id
        LEFT JOIN order_lines sold ON sold.tenant_id = l.tenant_id AND sold.id = l.parent_line_id
        JOIN orders o ON o.tenant_id = c.tenant_id AND o.id = c.parent_id
        WHERE c.tenant_id = $1
          AND (sold.order_id IS DISTINCT FROM o.id OR l.price <> sold.price OR l.quantity + sold.quantity < 0
            OR c.created_at <= o.created_at OR c.status <> 'completed' OR c.customer_id IS DISTINCT FROM o.customer_id)
        """,
    ),
    "drafts and canceled orders are not paid": Rule(
        "UPDATE orders SET status = 'draft' WHERE status = 'completed'",
        """
        SELECT id FROM orders WHERE tenant_id = $1
          AND status IN ('draft', 'canceled') AND paid_amount <> 0
        """,
    ),
    "a deposit is paid before the first booking and leaves something to pay": Rule(
        "UPDATE transactions SET is_deposit = NOT is_deposit WHERE transaction_no = 5",
        """
        SELECT t.* FROM transactions t JOIN orders o ON (o.tenant_id, o.id) = (t.tenant_id, t.order_id)
        WHERE t.tenant_id = $1 AND t.is_deposit IS DISTINCT FROM
            (coalesce(t.date < o.starts_at, false) AND t.amount + (
                SELECT coalesce(sum(e.amount), 0) FROM transactions e WHERE e.tenant_id = $1 AND e.order_id = o.id
                AND e.status = 'confirmed' AND e.transaction_no < t.transaction_no) < o.total)
        """,
    ),
    "a transaction is made when its order is there, in its currency": Rule(
        "UPDATE transactions SET created_at = created_at - interval '30 days'",
        """
        SELECT t.* FROM transactions t JOIN orders o ON (o.tenant_id, o.id) = (t.tenant_id, t.order_id)
        WHERE t.tenant_id = $1
          AND (t.created_at < o.created_at OR t.created_at > o.updated_at OR t.currency <> o.currency)
        """,
    ),
    "every service line is booked, and nothing else": Rule(
        "DELETE FROM bookings WHERE reference LIKE '%-2'",
        """
        SELECT l.* FROM order_lines l JOIN orders o ON (o.tenant_id, o.id) = (l.tenant_id, l.order_id)
        LEFT JOIN bookings b ON (b.tenant_id, b.line_id) = (l.tenant_id, l.id)
        WHERE l.tenant_id = $1
          AND ((l.type = 'service') <> (b.id IS NOT NULL)
            OR (b.order_id, b.item_id, b.staff_id) <> (l.order_id, l.item_id, l.staff_id))
        """,
    ),
    "a booking stands in the way exactly while its order is not canceled": Rule(
        "UPDATE bookings SET is_active = false",
        """
        SELECT b.* FROM bookings b JOIN orders o ON (o.tenant_id, o.id) = (b.tenant_id, b.order_id)
        WHERE b.tenant_id = $1 AND b.is_active <> (o.status <> 'canceled')
        """,
    ),
    "no provider is booked twice at once": Rule(
        """
        ALTER TABLE bookings DROP CONSTRAINT bookings_no_overlap;
        UPDATE bookings SET (during, busy) = (SELECT during, busy FROM bookings LIMIT 1)
        """,
        """
        SELECT a.id, b.id FROM bookings a JOIN bookings b ON a.tenant_id = b.tenant_id AND a.staff_id = b.staff_id
        WHERE a.tenant_id = $1 AND a.id < b.id AND a.is_active AND b.is_active
          AND a.busy && b.busy
        """,
    ),
    "a provider performs what is booked": Rule(
        "DELETE FROM staff_services WHERE duration IS NOT NULL",
        """
        SELECT b.* FROM bookings b LEFT JOIN staff_services s
            ON (s.tenant_id, s.staff_id, s.item_id) = (b.tenant_id, b.staff_id, b.item_id)
        WHERE b.tenant_id = $1 AND s.item_id IS NULL
        """,
    ),
    "a booking lasts the quantity times the option's, the provider's or the service's duration": Rule(
        "UPDATE order_lines SET duration = duration + 15",
        """
        SELECT b.* FROM bookings b
        JOIN order_lines l ON (l.tenant_id, l.id) = (b.tenant_id, b.line_id)
        JOIN items i ON (i.tenant_id, i.id) = (b.tenant_id, b.item_id)
        JOIN staff_services s ON (s.tenant_id, s.staff_id, s.item_id) = (b.tenant_id, b.staff_id, b.item_id)
        LEFT JOIN item_options o ON o.tenant_id = l.tenant_id AND o.id = ANY (l.option_ids)
        WHERE b.tenant_id = $1
          AND (upper(b.during) - lower(b.during) <> l.duration * interval '1 minute'
            OR l.duration <> l.quantity * coalesce(o.duration, s.duration, i.duration))
        """,
    ),
    "an order's bookings follow one another from its start": Rule(
        "UPDATE orders SET starts_at = starts_at + interval '1 day'",
        """
        SELECT b.* FROM (
            SELECT b.*, o.starts_at, lag(upper(during)) OVER (PARTITION BY b.order_id ORDER BY l.position) AS earlier
            FROM bookings b JOIN order_lines l ON (l.tenant_id, l.id) = (b.tenant_id, b.line_id)
            JOIN orders o ON (o.tenant_id, o.id) = (b.tenant_id, b.order_id) WHERE b.tenant_id = $1) b
        WHERE lower(during) IS DISTINCT FROM coalesce(earlier, starts_at)
        """,
    ),
    "a booking lies inside one interval of the hours in force, on the grid from its opening": Rule(
        "UPDATE working_intervals SET opens = opens + 5",
        """
        WITH t AS MATERIALIZED (
            SELECT b.id, left(format_local(lower(b.during), n.timezone), 19)::timestamp AS at,
                   extract(epoch FROM upper(b.during) - lower(b.during)) / 60 AS minutes
            FROM bookings b JOIN tenants n ON n.id = b.tenant_id WHERE b.tenant_id = $1
        ), m AS MATERIALIZED (
            SELECT t.id, t.minutes, extract(dow FROM t.at) AS day,
                   extract(hour FROM t.at) * 60 + extract(minute FROM t.at) AS minute FROM t
        )
        SELECT b.* FROM bookings b JOIN m ON m.id = b.id
        WHERE b.tenant_id = $1 AND NOT EXISTS (
            SELECT FROM working_intervals w
            JOIN working_hours h ON (h.tenant_id, h.id) = (w.tenant_id, w.working_hour_id)
            WHERE w.tenant_id = $1 AND w.active AND h.active AND w.day = m.day
              AND w.opens <= m.minute AND m.minute + m.minutes <= w.closes AND (m.minute - w.opens)::int % 15 = 0
              AND (h.staff_id = b.staff_id
                OR h.branch_id IS NOT NULL AND NOT EXISTS (SELECT FROM working_hours own WHERE own.tenant_id = $1
                                                           AND own.staff_id = b.staff_id)))
        """,
    ),
    "an appointment's order is as far as the clock": Rule(
        "UPDATE orders SET status = 'in-progress' WHERE status = 'confirmed'",
        """
        SELECT o.id, o.status FROM orders o
        JOIN (SELECT order_id, min(lower(during)) AS begins, max(upper(during)) AS ends FROM bookings
              WHERE tenant_id = $1 GROUP BY order_id) b ON b.order_id = o.id
        WHERE o.tenant_id = $1 AND o.status <> 'canceled' AND o.status <>
            CASE WHEN ends <= $2 THEN 'completed' WHEN begins <= $2 THEN 'in-progress' ELSE 'confirmed' END
        """,
    ),
    "an appointment is made before it begins": Rule(
        "UPDATE orders SET starts_at = created_at WHERE starts_at IS NOT NULL",
        """
        SELECT id FROM orders WHERE tenant_id = $1 AND starts_at <= created_at
        """,
    ),
    "the history leads from nothing to the order's status, step by step": Rule(
        "DELETE FROM order_status_history WHERE to_status = 'in-progress'",
        """
        SELECT h.* FROM (
            SELECT h.*, o.status, o.created_at AS made,
                   lag(to_status) OVER w AS earlier, lead(to_status) OVER w AS later
            FROM orders o LEFT JOIN order_status_history h ON (h.tenant_id, h.order_id) = (o.tenant_id, o.id)
            WHERE o.tenant_id = $1 WINDOW w AS (PARTITION BY o.id ORDER BY h.created_at)) h
        WHERE (h.id IS NULL OR from_status IS DISTINCT FROM earlier
           OR earlier IS NULL AND created_at <> made OR later IS NULL AND to_status <> status)
        """,
    ),
    "a customer is known before the first order, and a blocked one has none": Rule(
        "UPDATE customers SET blocked = true",
        """
        SELECT o.id FROM orders o JOIN customers c ON (c.tenant_id, c.id) = (o.tenant_id, o.customer_id)
        WHERE o.tenant_id = $1 AND (c.blocked OR c.created_at >= o.created_at)
        """,
    ),
    "only the till sells to nobody in particular, and names its cashier": Rule(
        "UPDATE orders SET cashier_code = NULL",
        """
        SELECT o.id FROM orders o WHERE o.tenant_id = $1
          AND (o.source <> 'pos' AND o.customer_id IS NULL
            OR (o.source = 'pos') <> EXISTS (SELECT FROM cashiers c WHERE c.tenant_id = $1
                                             AND (c.name, c.code) = (o.cashier, o.cashier_code)))
        """,
    ),
    "an order is created by the actor that its source names": Rule(
        "UPDATE orders SET created_by_type = 'system'",
        """
        SELECT o.id FROM orders o WHERE o.tenant_id = $1 AND NOT CASE o.source
            WHEN 'api' THEN o.created_by_type = 'app'
                AND o.created_by_id IN (SELECT id FROM api_clients WHERE tenant_id = $1)
            WHEN 'pos' THEN o.created_by_type = 'key'
                AND o.created_by_id IN (SELECT id FROM api_keys WHERE tenant_id = $1)
            WHEN 'dashboard' THEN o.created_by_type = 'user'
                AND o.created_by_id IN (SELECT user_id FROM memberships WHERE tenant_id = $1)
            ELSE o.created_by_type = 'customer' AND o.created_by_id IS NULL END
        """,
    ),
}
