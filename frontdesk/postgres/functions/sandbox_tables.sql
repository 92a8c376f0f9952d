-- The tables that a reset of a sandbox empties, each after those that it refers to, with the columns that can be
-- written. Not among them: who may sign in, programs with their keys and webhooks, the events, the activity,
-- and what only the machine needs. On a node of a cluster there are also tables that end with the number of a shard.
CREATE OR REPLACE FUNCTION sandbox_tables() RETURNS TABLE (name text, columns text)
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY
    WITH RECURSIVE owned AS MATERIALIZED (
        SELECT c.oid FROM pg_class c
        JOIN pg_attribute t ON t.attrelid = c.oid AND t.attname = 'tenant_id' AND t.attnotnull
        WHERE c.relkind IN ('r', 'p') AND c.relnamespace = to_regnamespace(quote_ident(current_schema()))
            AND c.relname !~ '_\d+$' AND c.relname <> ALL (ARRAY[
                'memberships', 'invitations', 'installs', 'api_clients', 'access_tokens', 'authorization_codes',
                'api_keys', 'scope_budgets', 'record_exports', 'record_export_parts', 'request_log', 'scope_usage',
                'used_operations', 'rate_windows', 'webhooks',
                'webhook_deliveries', 'webhook_attempts', 'events', 'notification_settings', 'report_settings',
                'calendar_views', 'activity', 'idempotency_records', 'tenant_erasures', 'tenant_slugs',
                'last_writes', 'objects_to_check', 'sandbox_faults', 'sandbox_snapshots', 'sandbox_snapshot_rows',
                'conformance_reports'])
    ), refers AS MATERIALIZED (
        SELECT DISTINCT f.conrelid AS child, f.confrelid AS parent FROM pg_constraint f
        JOIN owned a ON a.oid = f.conrelid JOIN owned b ON b.oid = f.confrelid
        WHERE f.contype = 'f' AND f.conrelid <> f.confrelid
    ), depths AS (
        SELECT o.oid, 0 AS depth FROM owned o
        UNION
        SELECT r.child, d.depth + 1 FROM depths d JOIN refers r ON r.parent = d.oid WHERE d.depth < 30
    )
    SELECT c.relname::text, (
        SELECT string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) FROM pg_attribute a
        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '')
    FROM (SELECT oid, max(depth) AS depth FROM depths GROUP BY oid) s JOIN pg_class c ON c.oid = s.oid
    ORDER BY s.depth, c.relname;
END $$;
