"""Gives orders that a test copied a booking each: a copy of one of the tenant, which takes no time of its provider."""

COPY_BOOKINGS = """
WITH booking AS (SELECT b FROM bookings b WHERE b.tenant_id = $1 ORDER BY b.id LIMIT 1),
    lines AS (
        INSERT INTO order_lines SELECT copy.*
        FROM booking, unnest($2::uuid[]) o, order_lines l, LATERAL jsonb_populate_record(l, jsonb_build_object(
            'id', gen_random_uuid(), 'order_id', o)) copy
        WHERE l.tenant_id = $1 AND l.id = (b).line_id RETURNING order_lines.id, order_lines.order_id)
INSERT INTO bookings SELECT copy.* FROM booking, lines l, LATERAL jsonb_populate_record(b, jsonb_build_object(
    'id', gen_random_uuid(), 'order_id', l.order_id, 'line_id', l.id, 'reference', l.id, 'is_active', false)) copy
"""
