-- Locks the orders of the first customer, then all given customers against every writer, also against new orders. Locks
-- of orders come before those of customers: an order that was created in between ends the write, which is then
-- repeated.
CREATE OR REPLACE FUNCTION lock_customer_orders(p_tenant uuid, p_customers uuid[]) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_orders uuid[];
    v_found integer;
BEGIN
    SELECT coalesce(array_agg(l.id), '{}') INTO v_orders FROM (
        SELECT id FROM orders WHERE tenant_id = p_tenant AND customer_id = p_customers[1]
            ORDER BY id FOR NO KEY UPDATE) l;
    SELECT count(*) INTO v_found FROM (
        SELECT FROM customers WHERE tenant_id = p_tenant AND id = ANY (p_customers) ORDER BY id FOR UPDATE) l;
    IF v_found <> cardinality(p_customers) OR EXISTS (
        SELECT FROM orders
        WHERE tenant_id = p_tenant AND customer_id = p_customers[1] AND NOT id = ANY (v_orders)) THEN
        PERFORM raise_outdated();
    END IF;
END $$;
