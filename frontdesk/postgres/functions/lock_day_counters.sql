-- Holds the counters of orders, payments and movements of the drawer until the transaction ends: what a close counts
-- happens before it or after it.
CREATE OR REPLACE FUNCTION lock_day_counters(p_tenant uuid) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM FROM tenant_counters WHERE tenant_id = p_tenant
        AND name IN ('drawer_number', 'order_number', 'transaction_no')
    ORDER BY name FOR NO KEY UPDATE;
END $$;
