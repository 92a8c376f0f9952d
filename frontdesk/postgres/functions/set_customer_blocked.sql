-- Blocks a customer with a reason, or ends that. Returns the customer's id.
CREATE OR REPLACE FUNCTION set_customer_blocked(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    c customers := lock_customer(p_tenant, (p ->> 'id')::uuid, (p ->> 'version')::integer);
BEGIN
    UPDATE customers SET blocked = (p ->> 'blocked')::boolean, blocked_reason = p ->> 'reason'
    WHERE tenant_id = p_tenant AND id = c.id;
    RETURN finish_customer_change(
        p_tenant, p -> 'actor', CASE WHEN p ->> 'blocked' = 'true' THEN 'customer.blocked'
            ELSE 'customer.unblocked' END, c);
END $$;
