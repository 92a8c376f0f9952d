-- Messages that wait because the mail server was not reached are tried again now. Returns the tenant.
CREATE OR REPLACE FUNCTION retry_messages(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_name text;
BEGIN
    UPDATE messages SET due_at = now()
    WHERE tenant_id = p_tenant AND state = 'due' AND answer IS NOT NULL AND due_at > now() AND lease IS NULL;
    SELECT name INTO v_name FROM tenants WHERE id = p_tenant;
    PERFORM record_activity(p_tenant, p -> 'actor', 'messages.retried', p_tenant, v_name);
    RETURN p_tenant;
END $$;
