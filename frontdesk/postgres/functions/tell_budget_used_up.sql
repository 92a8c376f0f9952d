-- Writes to the owners of a business, and to the developer of an installed application, that the budget of a scope is
-- used up for the day.
CREATE OR REPLACE FUNCTION tell_budget_used_up(p_tenant uuid, p_client uuid, p_scope text, p_allowed integer)
RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_client record;
    v_user record;
BEGIN
    SELECT c.name, i.id AS install_id, i.application_id, n.name AS business INTO v_client
    FROM api_clients c
    JOIN tenants n ON n.id = p_tenant
    LEFT JOIN installs i ON i.tenant_id = p_tenant AND i.id = c.install_id
    WHERE c.tenant_id = p_tenant AND c.id = p_client;
    PERFORM record_activity(p_tenant, NULL, 'api_client.budget_used_up', p_client, v_client.name, NULL,
        jsonb_build_object('scope', p_scope, 'per_day', p_allowed));
    FOR v_user IN
        SELECT u.email, u.name, u.language, m.user_id IS NOT NULL AS is_owner
        FROM users u
        LEFT JOIN memberships m ON m.tenant_id = p_tenant AND m.user_id = u.id AND m.role = 'owner'
        WHERE u.disabled_at IS NULL AND (m.user_id IS NOT NULL
            OR u.id = (SELECT a.developer_id FROM applications a WHERE a.id = v_client.application_id))
    LOOP
        PERFORM queue_account_message(jsonb_build_object('kind', 'budget_used_up', 'email', v_user.email,
            'name', v_user.name, 'language', v_user.language, 'data', jsonb_build_object(
                'business_name', v_client.business, 'application', v_client.name, 'scope', p_scope,
                'allowed', p_allowed::text, 'link', CASE WHEN NOT v_user.is_owner THEN NULL
                    WHEN v_client.install_id IS NULL THEN '/settings/api'
                    ELSE '/settings/applications/installed/' || v_client.install_id END)));
    END LOOP;
END $$;
