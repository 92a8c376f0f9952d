-- Sets how many records a day an API client may read with a scope; null ends the budget. What it has read today counts
-- on, also against another number.
CREATE OR REPLACE FUNCTION save_scope_budget(p_tenant uuid, p jsonb) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_client uuid := (p ->> 'client_id')::uuid;
    v_scope text := p ->> 'scope';
    v_per_day integer := (p ->> 'per_day')::integer;
    v_name text;
    v_before integer;
BEGIN
    SELECT name INTO v_name FROM api_clients WHERE tenant_id = p_tenant AND id = v_client FOR KEY SHARE;
    SELECT per_day INTO v_before FROM scope_budgets
    WHERE tenant_id = p_tenant AND client_id = v_client AND scope = v_scope FOR UPDATE;
    IF v_per_day IS NULL THEN
        DELETE FROM scope_budgets WHERE tenant_id = p_tenant AND client_id = v_client AND scope = v_scope;
    ELSE
        INSERT INTO scope_budgets (tenant_id, client_id, scope, per_day, day)
        VALUES (p_tenant, v_client, v_scope, v_per_day, local_today(p ->> 'timezone'))
        ON CONFLICT (tenant_id, client_id, scope) DO UPDATE
        SET per_day = excluded.per_day, stopped_at = NULL;
    END IF;
    IF v_before IS DISTINCT FROM v_per_day THEN
        PERFORM record_activity(p_tenant, p -> 'actor', 'api_client.budget_changed', v_client, v_name,
            jsonb_build_object('scope', v_scope, 'per_day', v_before),
            jsonb_build_object('scope', v_scope, 'per_day', v_per_day));
    END IF;
END $$;
