-- Allows an API client to read more records today than its budget.
CREATE OR REPLACE FUNCTION extend_scope_budget(p_tenant uuid, p jsonb) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_today date := local_today(p ->> 'timezone');
    b scope_budgets;
BEGIN
    SELECT * INTO b FROM scope_budgets
    WHERE tenant_id = p_tenant AND client_id = (p ->> 'client_id')::uuid AND scope = p ->> 'scope' FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    UPDATE scope_budgets SET day = v_today, used = CASE WHEN b.day = v_today THEN b.used ELSE 0 END,
        extra = CASE WHEN b.day = v_today THEN b.extra ELSE 0 END + (p ->> 'more')::integer, stopped_at = NULL
    WHERE tenant_id = p_tenant AND client_id = b.client_id AND scope = b.scope;
    PERFORM record_activity(p_tenant, p -> 'actor', 'api_client.budget_extended', b.client_id,
        (SELECT name FROM api_clients WHERE tenant_id = p_tenant AND id = b.client_id), NULL,
        jsonb_build_object('scope', b.scope, 'more', (p ->> 'more')::integer));
END $$;
