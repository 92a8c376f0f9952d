-- Locks a customer and returns it. Where p_version is given, the customer must not have changed since it was read.
CREATE OR REPLACE FUNCTION lock_customer(p_tenant uuid, p_customer uuid, p_version integer) RETURNS customers
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    c customers;
BEGIN
    SELECT * INTO c FROM customers WHERE tenant_id = p_tenant AND id = p_customer FOR NO KEY UPDATE;
    IF NOT FOUND OR c.version <> p_version THEN
        PERFORM raise_outdated();
    END IF;
    RETURN c;
END $$;
