"""The statements that only the full reference needs."""

# How often each client asked in the present minute.
CREATE_TABLE = """
CREATE UNLOGGED TABLE IF NOT EXISTS reference_requests (
    client_id uuid PRIMARY KEY, minute timestamptz NOT NULL, requests integer NOT NULL) WITH (fillfactor = 40)
"""

# The session gets the tenant's time zone. A minute is counted under the row's lock, and never goes back.
AUTHENTICATE = """
WITH caller AS MATERIALIZED (
    SELECT c.id, c.scopes AS approved, t.scopes AS requested, n.open_api AND n.suspended_at IS NULL AS is_open,
        coalesce(c.rate_limit, $3) AS rate_limit, set_config('timezone', n.timezone, false)
    FROM access_tokens t
    JOIN api_clients c ON c.tenant_id = $1 AND c.id = t.client_id
    JOIN tenants n ON n.id = $1
    WHERE t.tenant_id = $1 AND t.token_hash = $2 AND t.revoked_at IS NULL AND t.expires_at > now()
        AND c.disabled_at IS NULL AND c.disconnected_at IS NULL AND t.secret_version = c.secret_version
), counted AS (
    INSERT INTO reference_requests AS r (client_id, minute, requests)
    SELECT id, date_trunc('minute', now()), 1 FROM caller WHERE is_open
    ON CONFLICT (client_id) DO UPDATE SET minute = greatest(r.minute, excluded.minute),
        requests = CASE WHEN r.minute >= excluded.minute THEN r.requests + 1 ELSE 1 END
    RETURNING requests, ceil(60 - extract(second FROM now()))::integer AS seconds
)
SELECT * FROM caller LEFT JOIN counted ON true
"""

STORED = """
SELECT fingerprint, status, body FROM idempotency_records
WHERE tenant_id = $1 AND caller_id = $2 AND key = $3 AND created_at > now() - interval '24 hours'
"""

# No row: the item is no active service of the branch, or the provider does not perform it.
CHECK = """
SELECT coalesce(p.price, i.offer_price, i.price) AS price,
    EXISTS (SELECT FROM customers WHERE tenant_id = $1 AND id = $3 AND NOT blocked) AS has_customer,
    EXISTS (SELECT FROM payment_methods WHERE tenant_id = $1 AND id = $7 AND active) AS has_method,
    a.start > now() AND w.active AND CASE WHEN w.all_time THEN a.minute % n.grid_minutes = 0 ELSE EXISTS (
        SELECT FROM working_intervals v
        WHERE v.tenant_id = $1 AND v.working_hour_id = w.id AND v.active AND v.day = extract(dow FROM a.start)
            AND v.opens <= a.minute AND a.minute + a.length <= v.closes
            AND (a.minute - v.opens) % n.grid_minutes = 0) END
    AND NOT EXISTS (
        SELECT FROM closed_days WHERE tenant_id = $1 AND branch_id = $2 AND day = a.start::date)
    AND NOT EXISTS (
        SELECT FROM time_off f
        WHERE f.tenant_id = $1 AND f.staff_id = $5 AND upper(f.during) > a.start AND f.status = 'approved'
            AND f.during && tstzrange(a.start, a.start + a.length * interval '1 minute')) AS is_free
FROM items i
JOIN tenants n ON n.id = $1
JOIN staff s ON s.tenant_id = $1 AND s.id = $5 AND s.branch_id = $2 AND s.active
JOIN staff_services p ON p.tenant_id = $1 AND p.staff_id = $5 AND p.item_id = $4
CROSS JOIN LATERAL (
    SELECT $6::text::timestamptz AS start, coalesce(p.duration, i.duration) AS length,
        extract(hour FROM $6::text::timestamptz)::integer * 60 + extract(minute FROM $6::text::timestamptz)::integer
            AS minute) a
CROSS JOIN LATERAL (
    SELECT id, active, all_time FROM working_hours
    WHERE tenant_id = $1 AND is_default AND (staff_id = $5 OR branch_id = $2) ORDER BY staff_id LIMIT 1) w
WHERE i.tenant_id = $1 AND i.id = $4 AND i.branch_id = $2 AND i.type = 'service' AND i.status
"""

# The event, and the response of the key.
FINISH = """
WITH numbered AS (
    INSERT INTO tenant_counters AS c (tenant_id, name, value, assigned_at) VALUES ($1, 'events', 1, clock_timestamp())
    ON CONFLICT (tenant_id, name) DO UPDATE SET value = c.value + 1, assigned_at = excluded.assigned_at
    RETURNING value, assigned_at
), emitted AS (
    INSERT INTO events (tenant_id, id, sequence, type, actor_id, data, created_at)
    SELECT $1, gen_random_uuid(), value, 'order.created', $2, $3::text::json, assigned_at FROM numbered
)
INSERT INTO idempotency_records (tenant_id, caller_id, key, fingerprint, status, body)
SELECT $1, $2, $4::text, $5, 201, $6 WHERE $4 IS NOT NULL
"""
