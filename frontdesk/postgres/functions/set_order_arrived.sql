-- Records that the customer of an order has come, or takes that back. Returns the order's id. The published form of the
-- order stays as it is, so nothing is emitted.
CREATE OR REPLACE FUNCTION set_order_arrived(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    o orders := lock_order(p_tenant, (p ->> 'order_id')::uuid, (p ->> 'version')::integer);
    v_at timestamptz := CASE WHEN (p ->> 'arrived')::boolean THEN clock_timestamp() END;
BEGIN
    UPDATE orders SET arrived_at = v_at, version = version + 1 WHERE tenant_id = p_tenant AND id = o.id;
    PERFORM record_activity(p_tenant, p -> 'actor',
        CASE WHEN v_at IS NULL THEN 'order.arrival_undone' ELSE 'order.customer_arrived' END, o.id, o.order_number::text,
        jsonb_build_object('arrived_at', o.arrived_at), jsonb_build_object('arrived_at', v_at));
    RETURN o.id;
END $$;
