-- Makes the public address of an order's booking, and returns the order's id; an order keeps its first one.
CREATE OR REPLACE FUNCTION create_booking_link(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_order uuid := (p ->> 'order_id')::uuid;
    o orders;
BEGIN
    o := lock_order(p_tenant, v_order, NULL);
    PERFORM booking_code(p_tenant, v_order);
    PERFORM record_activity(p_tenant, p -> 'actor', 'order.link_made', v_order, o.order_number::text);
    RETURN v_order;
END $$;
