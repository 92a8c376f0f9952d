-- The number of webhooks that count towards the quota of the tenant's plan.
CREATE OR REPLACE FUNCTION count_webhooks(p_tenant uuid) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT count(*) FROM webhooks w JOIN api_clients c ON c.tenant_id = p_tenant AND c.id = w.client_id
            WHERE w.tenant_id = p_tenant AND c.disconnected_at IS NULL);
END $$;
