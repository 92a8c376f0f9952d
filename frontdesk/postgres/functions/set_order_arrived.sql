-- Records that the customer of an order has come, or takes that back. Returns the order's id. The published form of the
-- order stays as it is, so the event is for open pages only: no webhook can subscribe to its type.
CREATE OR REPLACE FUNCTION set_order_arrived(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    o orders := lock_order(p_tenant, (p ->> 'order_id')::uuid, (p ->> 'version')::integer);
    v_at timestamptz := CASE WHEN (p ->> 'arrived')::boolean THEN clock_timestamp() END;
    v_zone text;
BEGIN
    UPDATE orders SET arrived_at = v_at, version = version + 1 WHERE tenant_id = p_tenant AND id = o.id;
    PERFORM record_activity(p_tenant, p -> 'actor',
        CASE WHEN v_at IS NULL THEN 'order.arrival_undone' ELSE 'order.customer_arrived' END, o.id,
            o.order_number::text,
        jsonb_build_object('arrived_at', o.arrived_at), jsonb_build_object('arrived_at', v_at));
    SELECT timezone INTO v_zone FROM tenants WHERE id = p_tenant;
    PERFORM emit_events(p_tenant, ARRAY['order.arrived'], ARRAY[json_build_object('order', json_build_object(
        'id', o.id, 'start', format_local(o.starts_at, v_zone)))], p_actor => p -> 'actor');
    RETURN o.id;
END $$;
