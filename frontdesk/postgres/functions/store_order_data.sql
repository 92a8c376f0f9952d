-- Locks an order with which an application stores data, and returns its id. `run_act` stores what comes with the call.
CREATE OR REPLACE FUNCTION store_order_data(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM lock_record_with_data(p_tenant, 'order', (p ->> 'id')::uuid);
    RETURN (p ->> 'id')::uuid;
END $$;
