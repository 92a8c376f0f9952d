-- Locks an order and returns it. Where p_version is given, the order must not have changed since it was read.
CREATE OR REPLACE FUNCTION lock_order(p_tenant uuid, p_order uuid, p_version integer) RETURNS orders
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    o orders;
BEGIN
    SELECT * INTO o FROM orders WHERE tenant_id = p_tenant AND id = p_order FOR NO KEY UPDATE;
    IF NOT FOUND OR o.version <> p_version THEN
        PERFORM raise_outdated();
    END IF;
    RETURN o;
END $$;
