-- Computes the vitals of a few applications again, those of which are older than a day. Returns how many. Each reads
-- installs of all businesses, and what is counted on the coordinator of a cluster cannot be joined with them.
CREATE OR REPLACE FUNCTION refresh_vitals(p_limit integer) RETURNS integer LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_application uuid;
    v_scopes text[];
    v_requests bigint;
    v_errors bigint;
    v_webhooks bigint;
    v_failing bigint;
    v_refreshed integer := 0;
BEGIN
    FOR v_application IN
        SELECT a.id FROM applications a LEFT JOIN application_vitals v ON v.application_id = a.id
        WHERE a.approved_version IS NOT NULL AND coalesce(v.computed_at < now() - interval '1 day', true)
        ORDER BY v.computed_at NULLS FIRST, a.id LIMIT p_limit
    LOOP
        SELECT coalesce(array_agg(s.scope), '{}') INTO v_scopes FROM (
            SELECT DISTINCT u.scope FROM installs i
            JOIN api_clients c ON c.tenant_id = i.tenant_id AND c.install_id = i.id
            JOIN scope_usage u ON u.tenant_id = c.tenant_id AND u.caller_id = c.id
            WHERE i.application_id = v_application AND i.tenant_id IS NOT NULL AND u.scope <> ''
                AND u.last_used_at > now() - interval '90 days'
        ) s;
        SELECT coalesce(sum(d.requests), 0), coalesce(sum(d.errors), 0) INTO v_requests, v_errors
        FROM application_days d WHERE d.application_id = v_application AND d.day > current_date - 30;
        SELECT count(*), count(*) FILTER (WHERE w.disabled_at IS NOT NULL OR w.failing_since IS NOT NULL)
        INTO v_webhooks, v_failing FROM installs i
        JOIN api_clients c ON c.tenant_id = i.tenant_id AND c.install_id = i.id
        JOIN webhooks w ON w.tenant_id = c.tenant_id AND w.client_id = c.id
        WHERE i.application_id = v_application AND i.tenant_id IS NOT NULL AND i.disconnected_at IS NULL;
        INSERT INTO application_vitals (application_id, used_scopes, requests, errors, webhooks, failing_webhooks,
            computed_at)
        VALUES (v_application, v_scopes, v_requests, v_errors, v_webhooks, v_failing, now())
        ON CONFLICT (application_id) DO UPDATE SET used_scopes = excluded.used_scopes, requests = excluded.requests,
            errors = excluded.errors, webhooks = excluded.webhooks, failing_webhooks = excluded.failing_webhooks,
            computed_at = excluded.computed_at;
        v_refreshed := v_refreshed + 1;
    END LOOP;
    RETURN v_refreshed;
END $$;
