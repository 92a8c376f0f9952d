-- Sets what a customer may owe for sales on account; null ends that. Returns the customer's id.
CREATE OR REPLACE FUNCTION set_account_limit(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    c customers := lock_customer(p_tenant, (p ->> 'id')::uuid, (p ->> 'version')::integer);
BEGIN
    UPDATE customers SET account_limit = (p ->> 'limit')::numeric WHERE tenant_id = p_tenant AND id = c.id;
    RETURN finish_customer_change(p_tenant, p -> 'actor', 'customer.account_changed', c);
END $$;
