"""What must be true of bookings, and of the times of orders."""

from typing import Final

RULES: Final = {
    "no provider is booked twice at once, except on purpose": """
        SELECT a.id, b.id AS other FROM bookings a
        JOIN bookings b ON a.tenant_id = b.tenant_id AND a.staff_id = b.staff_id AND a.busy && b.busy
        WHERE a.tenant_id = $1 AND a.id < b.id AND a.is_active AND b.is_active
        """,
    "the busy minutes of providers are exactly those of the active bookings": """
        WITH booked AS (
            SELECT b.staff_id, d.day::date AS day,
                   greatest(0, extract(epoch FROM b.begins - d.day) / 60)::integer AS first,
                   least(1440, extract(epoch FROM b.ends - d.day) / 60)::integer AS last
            FROM (SELECT staff_id, lower(held) AT TIME ZONE 'UTC' AS begins, upper(held) AT TIME ZONE 'UTC' AS ends
                  FROM (SELECT staff_id, unnest(range_agg(CASE WHEN is_extra THEN during ELSE busy END)) AS held
                        FROM bookings WHERE tenant_id = $1 AND is_active GROUP BY staff_id) h) b,
                 generate_series(b.begins::date::timestamp, b.ends - interval '1 minute', interval '1 day') d (day)
        )
        SELECT staff_id, day, sum(b.last - b.first) AS booked, bit_count(d.minutes) AS marked
        FROM (SELECT staff_id, day, minutes FROM staff_busy_days WHERE tenant_id = $1) d
        FULL JOIN booked b USING (staff_id, day)
        GROUP BY staff_id, day, d.minutes
        HAVING coalesce(sum(b.last - b.first), 0) <> coalesce(bit_count(d.minutes), 0)
            -- The first minute of the day is the last bit.
            OR sum(bit_count(substring(d.minutes FROM 1441 - b.last FOR b.last - b.first))) <> sum(b.last - b.first)
        """,
    "a booking is live exactly while its order is neither canceled nor a draft": """
        SELECT b.id, b.is_active, o.status FROM bookings b
        JOIN orders o ON (o.tenant_id, o.id) = (b.tenant_id, b.order_id)
        WHERE b.tenant_id = $1 AND b.is_active <> (o.status NOT IN ('canceled', 'draft'))
        """,
    "an order with a start that is no draft has a booking for each service, of that provider and length": """
        SELECT l.id, b.id AS booking FROM order_lines l JOIN orders o ON (o.tenant_id, o.id) = (l.tenant_id, l.order_id)
        LEFT JOIN bookings b ON (b.tenant_id, b.line_id) = (l.tenant_id, l.id)
        WHERE l.tenant_id = $1 AND l.type = 'service' AND o.parent_id IS NULL AND o.starts_at IS NOT NULL
          AND o.status NOT IN ('draft', 'canceled')
          AND (b.id IS NULL OR (b.order_id, b.item_id, b.staff_id) <> (l.order_id, l.item_id, l.staff_id)
            OR upper(b.during) - lower(b.during) <> l.duration * interval '1 minute')
        """,
    "the services of an order follow each other from its start, in the order of its lines": """
        SELECT * FROM (
            SELECT o.id, lower(b.during) AS begins,
                   coalesce(lag(upper(b.during)) OVER (PARTITION BY o.id ORDER BY l.position), o.starts_at) AS expected
            FROM bookings b JOIN order_lines l ON (l.tenant_id, l.id) = (b.tenant_id, b.line_id)
            JOIN orders o ON (o.tenant_id, o.id) = (b.tenant_id, b.order_id) WHERE b.tenant_id = $1) k
        WHERE begins IS DISTINCT FROM expected
        """,
    "the history of an order's time leads to its start, step by step": """
        SELECT * FROM (
            SELECT o.id, o.starts_at, h.previous_start, h.new_start, lag(h.new_start) OVER w AS earlier,
                   lead(h.new_start) OVER w AS later
            FROM order_status_history h JOIN orders o ON (o.tenant_id, o.id) = (h.tenant_id, h.order_id)
            WHERE h.tenant_id = $1 AND h.new_start IS NOT NULL
            WINDOW w AS (PARTITION BY o.id ORDER BY h.created_at)) h
        WHERE earlier IS NOT NULL AND previous_start <> earlier OR later IS NULL AND new_start <> starts_at
        """,
}
