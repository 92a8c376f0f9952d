-- Updates a customer that has not changed since it was read, and returns its id.
CREATE OR REPLACE FUNCTION update_customer(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    c customers := lock_customer(p_tenant, (p ->> 'id')::uuid, (p ->> 'version')::integer);
BEGIN
    PERFORM set_customer_fields(p_tenant, c.id, p);
    RETURN finish_customer_change(p_tenant, p -> 'actor', 'customer.updated', c);
END $$;
