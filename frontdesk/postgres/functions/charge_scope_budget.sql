-- Counts records that an API client is about to read against its budget of the day. Returns nothing if it may have
-- them, else its budget, what it has used, when the next day begins, and whether it is the first refusal of the day;
-- then nothing is counted.
CREATE OR REPLACE FUNCTION charge_scope_budget(
    p_tenant uuid, p_client uuid, p_scope text, p_records integer,
    OUT allowed integer, OUT counted integer, OUT resets_at timestamptz,
    OUT is_first boolean
) LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_zone text := (SELECT timezone FROM tenants WHERE id = p_tenant);
    v_today date := local_today(v_zone);
    b scope_budgets;
BEGIN
    SELECT * INTO b FROM scope_budgets
    WHERE tenant_id = p_tenant AND client_id = p_client AND scope = p_scope FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    IF b.day <> v_today THEN
        b.day := v_today;
        b.used := 0;
        b.extra := 0;
        b.stopped_at := NULL;
    END IF;
    IF b.used::bigint + p_records > b.per_day::bigint + b.extra THEN
        allowed := b.per_day + b.extra;
        counted := b.used;
        resets_at := day_start(v_today + 1, v_zone);
        is_first := b.stopped_at IS NULL;
        IF NOT is_first THEN
            RETURN;
        END IF;
        b.stopped_at := clock_timestamp();
        PERFORM record_activity(p_tenant, NULL, 'api_client.budget_used_up', p_client,
            (SELECT name FROM api_clients WHERE tenant_id = p_tenant AND id = p_client), NULL,
            jsonb_build_object('scope', p_scope, 'per_day', allowed));
    ELSE
        b.used := b.used + p_records;
    END IF;
    UPDATE scope_budgets SET day = b.day, used = b.used, extra = b.extra, stopped_at = b.stopped_at
    WHERE tenant_id = p_tenant AND client_id = p_client AND scope = p_scope;
END $$;
