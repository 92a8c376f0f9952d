"""The four statements of both references, each as short as the published answer allows.

Local times are those of the session, whose time zone is the tenant's.
"""

_UTC = """to_char({} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')"""
_LOCAL = """to_char({}, 'YYYY-MM-DD"T"HH24:MI:SSTZH:TZM')"""
_STAMPS = f"""'created_at', {_UTC.format("{0}.created_at")}, 'updated_at', {_UTC.format("{0}.updated_at")}"""

_LINE = """'id', coalesce(l.item_id, l.package_id), 'name', l.name, 'type', l.type, 'price', round(l.price, 2),
            'quantity', l.quantity, 'discount_amount', round(l.discount_amount, 2), 'total', round(l.total, 2),
            'option', CASE WHEN l.option_ids <> '{}' THEN
                json_build_object('id', l.option_ids[1], 'name', l.option_name) END"""

_BOOKING = f"""json_build_object(
    'id', k.id, 'reference', k.reference, 'start', {_LOCAL.format("lower(k.during)")},
    'end', {_LOCAL.format("upper(k.during)")}, 'status', o.status, 'service_id', k.item_id, 'staff_id', k.staff_id)"""

# $3 is the page and $4 its size. A page is a range of order numbers, which have no gaps.
LIST = f"""
WITH n AS MATERIALIZED (
    SELECT value, greatest((value + $4 - 1) / $4, 1) AS pages, value - ($3::bigint - 1) * $4::bigint AS newest,
        $2::text || '?page=' AS link, '&per_page=' || $4 AS size
    FROM tenant_counters WHERE tenant_id = $1 AND name = 'order_number')
SELECT json_build_object(
    'data', coalesce((SELECT json_agg(json_build_object(
        'id', o.id, 'order_number', o.order_number::text, 'parent_id', o.parent_id, 'status', o.status,
        'payment_status', o.payment_status, 'source', o.source,
        'customer', CASE WHEN c.id IS NOT NULL THEN json_build_object(
            'id', c.id, 'first_name', c.first_name, 'last_name', c.last_name, 'phone', c.phone) END,
        'branch', json_build_object('id', b.id, 'name', b.name),
        'items', (SELECT json_agg(json_build_object({_LINE}) ORDER BY l.position)
            FROM order_lines l WHERE l.tenant_id = o.tenant_id AND l.order_id = o.id),
        'currency', o.currency, 'total', round(o.total, 2), 'discount_amount', round(o.discount_amount, 2),
        {_STAMPS.format("o")}) ORDER BY o.order_number DESC)
    FROM orders o JOIN branches b ON b.tenant_id = o.tenant_id AND b.id = o.branch_id
    LEFT JOIN customers c ON c.tenant_id = o.tenant_id AND c.id = o.customer_id
    WHERE o.tenant_id = $1 AND o.order_number <= n.newest AND o.order_number > n.newest - $4), '[]'),
    'links', json_build_object(
        'first', link || 1 || size, 'last', link || pages || size,
        'prev', CASE WHEN $3 > 1 THEN link || $3 - 1 || size END,
        'next', CASE WHEN $3 < pages THEN link || $3 + 1 || size END),
    'meta', json_build_object('current_page', $3, 'last_page', pages, 'per_page', $4, 'total', value))::text
FROM n
"""

DETAIL = f"""
SELECT json_build_object('data', json_build_object(
    'id', o.id, 'order_number', o.order_number::text, 'parent_id', o.parent_id, 'status', o.status,
    'payment_status', CASE
        WHEN o.refunded_amount > 0 AND o.refunded_amount >= o.paid_amount THEN 'refunded'
        WHEN o.refunded_amount > 0 THEN 'partially_refunded' WHEN o.paid_amount >= o.total THEN 'paid'
        WHEN o.paid_amount > 0 THEN 'partially_paid' ELSE 'unpaid' END,
    'source', o.source,
    'customer', CASE WHEN c.id IS NOT NULL THEN json_build_object(
        'id', c.id, 'first_name', c.first_name, 'last_name', c.last_name, 'email', c.email, 'phone', c.phone,
        'type', c.type, 'city', c.city, 'address', c.address, 'note', c.note, 'blocked', c.blocked,
        'tax_registration_number', c.tax_registration_number,
        'tags', (SELECT coalesce(json_agg(json_build_object('id', g.id, 'name', g.name) ORDER BY g.name_folded), '[]')
                 FROM customer_tags x JOIN tags g ON g.tenant_id = $1 AND g.id = x.tag_id
                 WHERE x.tenant_id = $1 AND x.customer_id = c.id), {_STAMPS.format("c")}) END,
    'branch', json_build_object(
        'id', b.id, 'name', b.name, 'names', b.names, 'slug', b.slug, 'phone', b.phone,
        'phone_country', b.phone_country, 'address', b.address, 'latitude', b.latitude, 'longitude', b.longitude,
        'location', b.location,
        'status', b.status, {_STAMPS.format("b")}),
    'items', (SELECT json_agg(json_build_object({_LINE},
            'staff_id', l.staff_id, 'line_id', l.id) ORDER BY l.position)
        FROM order_lines l WHERE l.tenant_id = $1 AND l.order_id = o.id),
    'currency', o.currency, 'total', round(o.total, 2), 'discount_amount', round(o.discount_amount, 2),
    'tax_amount', round(o.tax_amount, 2), 'paid_amount', round(o.paid_amount, 2),
    'refunded_amount', round(o.refunded_amount, 2), 'remaining_amount', round(greatest(o.total - o.paid_amount, 0), 2),
    'start', {_LOCAL.format("o.starts_at")}, 'note', o.note,
    'refund_ids', (SELECT coalesce(json_agg(r.id ORDER BY r.order_number), '[]')
                   FROM orders r WHERE r.tenant_id = $1 AND r.parent_id = o.id),
    'bookings', (SELECT coalesce(json_agg({_BOOKING} ORDER BY lower(k.during), k.id), '[]')
                 FROM bookings k WHERE k.tenant_id = $1 AND k.order_id = o.id),
    'status_history', (SELECT coalesce(json_agg(json_build_object(
            'from', h.from_status, 'to', h.to_status, 'note', h.note,
            'previous_start', {_LOCAL.format("h.previous_start")}, 'new_start', {_LOCAL.format("h.new_start")},
            'changed_by', json_build_object(
                'type', CASE h.changed_by_type
                    WHEN 'key' THEN 'app' WHEN 'customer' THEN 'system' ELSE h.changed_by_type END,
                'id', h.changed_by_id),
            'created_at', {_UTC.format("h.created_at")}) ORDER BY h.created_at, h.id), '[]')
        FROM order_status_history h WHERE h.tenant_id = $1 AND h.order_id = o.id),
    'transactions', (SELECT coalesce(json_agg(json_build_object(
            'id', t.id, 'transaction_no', t.transaction_no, 'amount', round(t.amount, 2)::text,
            'currency', t.currency, 'status', t.status, 'is_deposit', t.is_deposit, 'note', t.note,
            'reference_number', t.reference_number, 'date', {_LOCAL.format("t.date")},
            'payment_method', json_build_object('id', m.id, 'name', m.name, 'slug', m.slug),
            'order', json_build_object('id', o.id, 'order_number', o.order_number),
            'booking', (SELECT {_BOOKING} FROM bookings k WHERE k.tenant_id = $1 AND k.order_id = o.id
                        ORDER BY lower(k.during), k.id LIMIT 1),
            {_STAMPS.format("t")}) ORDER BY t.transaction_no), '[]')
        FROM transactions t JOIN payment_methods m ON m.tenant_id = $1 AND m.id = t.payment_method_id
        WHERE t.tenant_id = $1 AND t.order_id = o.id),
    {_STAMPS.format("o")}))::text
FROM orders o JOIN branches b ON b.tenant_id = o.tenant_id AND b.id = o.branch_id
LEFT JOIN customers c ON c.tenant_id = o.tenant_id AND c.id = o.customer_id
WHERE o.tenant_id = $1 AND o.id = $2
"""

# The bits of a local day lie in two UTC days, highest minute first: local minute m is bit 1260 + m of the two joined.
AVAILABILITY = """
WITH asked AS MATERIALIZED (
    SELECT coalesce(p.duration, i.duration) AS length, n.grid_minutes AS grid, w.id AS hour_id
    FROM items i JOIN tenants n ON n.id = i.tenant_id
    JOIN staff_services p ON p.tenant_id = $1 AND p.item_id = i.id AND p.staff_id = $3
    JOIN staff s ON s.tenant_id = $1 AND s.id = $3
    JOIN working_hours w ON w.tenant_id = $1 AND w.branch_id = s.branch_id AND w.is_default
    WHERE i.tenant_id = $1 AND i.id = $2
), days AS MATERIALIZED (
    SELECT $4::date + d AS day,
           coalesce(today.minutes, B'0'::bit(1440)) || coalesce(before.minutes, B'0'::bit(1440)) AS busy
    FROM generate_series(0, $5::integer - 1) d
    LEFT JOIN staff_busy_days today ON today.tenant_id = $1 AND today.staff_id = $3 AND today.day = $4::date + d
    LEFT JOIN staff_busy_days before ON before.tenant_id = $1 AND before.staff_id = $3 AND before.day = $4::date + d - 1
)
SELECT json_build_object('data', json_build_object('slots', json_object_agg(d.day, (
    SELECT coalesce(json_agg(lpad((m / 60)::text, 2, '0') || ':' || lpad((m % 60)::text, 2, '0')), '[]')
    FROM asked a JOIN working_intervals v ON v.tenant_id = $1 AND v.working_hour_id = a.hour_id
        AND v.day = extract(dow FROM d.day) AND v.active,
        generate_series(v.opens, v.closes - a.length, a.grid) m
    WHERE position(B'1' IN substring(d.busy FROM 2881 - 1260 - m - a.length FOR a.length)) = 0
))))::text FROM days d
"""

# $9 is the API client. The prices of the tenants include the tax of their default class.
CREATE = f"""
WITH taxed AS MATERIALIZED (
    SELECT coalesce((SELECT r.rate FROM tax_rates r JOIN tax_classes c ON c.tenant_id = $1 AND c.id = r.class_id
        WHERE r.tenant_id = $1 AND c.is_default AND r.starts_on <= now() ORDER BY r.starts_on DESC LIMIT 1), 0) AS rate
), sold AS MATERIALIZED (
    SELECT i.name ->> 'ar' AS name, coalesce(p.price, i.offer_price, i.price) AS price,
           coalesce(p.duration, i.duration) AS duration, $6::text::timestamptz AS start
    FROM items i JOIN staff_services p ON p.tenant_id = $1 AND p.item_id = i.id AND p.staff_id = $5
    WHERE i.tenant_id = $1 AND i.id = $4
), numbered AS (
    UPDATE tenant_counters SET value = value + 1, assigned_at = clock_timestamp()
    WHERE tenant_id = $1 AND name = 'order_number' RETURNING value, assigned_at
), o AS (
    INSERT INTO orders (tenant_id, id, order_number, branch_id, customer_id, status, source, currency, sub_total,
        discount_amount, total, tax_amount, paid_amount, starts_at, created_by_type, created_by_id, created_at,
        updated_at)
    SELECT $1, gen_random_uuid(), value, $2, $3, 'confirmed', 'api', 'SAR', price, 0, price,
        round(price * rate / (100 + rate), 2), $8::text::numeric, start,
        'app', $9, assigned_at, assigned_at
    FROM numbered, sold, taxed RETURNING *
), l AS (
    INSERT INTO order_lines (tenant_id, id, order_id, position, type, item_id, staff_id, name, price, quantity,
        discount_amount, total, duration, tax_rate, tax_amount)
    SELECT $1, o.id, o.id, 0, 'service', $4, $5, name, price, 1, 0, price, duration, rate, o.tax_amount
    FROM o, sold, taxed
), k AS (
    INSERT INTO bookings (tenant_id, id, order_id, line_id, staff_id, item_id, reference, during, busy)
    SELECT $1, o.id, o.id, o.id, $5, $4, 'BK-' || lpad(o.order_number::text, 6, '0'),
        tstzrange(start, start + duration * interval '1 minute'),
        tstzrange(start, start + duration * interval '1 minute')
    FROM o, sold RETURNING set_busy(tenant_id, staff_id, during, true)
), h AS (
    INSERT INTO order_status_history (tenant_id, id, order_id, to_status, changed_by_type, changed_by_id, created_at)
    SELECT $1, o.id, o.id, 'confirmed', 'app', $9, o.created_at FROM o
), counted AS (
    UPDATE tenant_counters SET value = value + 1, assigned_at = o.created_at FROM o
    WHERE tenant_counters.tenant_id = $1 AND name = 'transaction_no' RETURNING value
), t AS (
    INSERT INTO transactions (tenant_id, id, transaction_no, order_id, payment_method_id, amount, currency, status,
        date, created_at, updated_at, created_by_type, created_by_id)
    SELECT $1, o.id, counted.value, o.id, $7, $8::text::numeric, 'SAR', 'confirmed', o.created_at, o.created_at,
        o.created_at, 'app', $9
    FROM o, counted RETURNING *
)
SELECT json_build_object('data', json_build_object(
    'id', o.id, 'order_number', o.order_number::text, 'status', o.status,
    'payment_status', CASE WHEN o.paid_amount >= o.total THEN 'paid' ELSE 'partially_paid' END,
    'currency', o.currency, 'total', round(o.total, 2), 'created_at', {_UTC.format("o.created_at")},
    'transaction', json_build_object(
        'id', t.id, 'amount', round(t.amount, 2)::text, 'currency', t.currency, 'status', t.status,
        'reference_number', t.reference_number, 'date', {_LOCAL.format("t.date")})))::text
FROM o, t
"""
