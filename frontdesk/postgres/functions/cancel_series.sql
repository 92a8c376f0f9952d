-- Cancels orders of a series, and returns the id of the series. p has the arguments of `change_order_status` for each.
-- All orders, their providers and their products are locked first: the first cancellation locks the counters, which
-- come last.
CREATE OR REPLACE FUNCTION cancel_series(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_orders uuid[];
    v_change jsonb;
    v_message jsonb := jsonb_build_object('also', jsonb_path_query_array(p, '$.changes[1 to last].order_id'));
BEGIN
    SELECT array_agg((c.value ->> 'order_id')::uuid) INTO v_orders FROM jsonb_array_elements(p -> 'changes') c;
    PERFORM FROM orders WHERE tenant_id = p_tenant AND id = ANY (v_orders) ORDER BY id FOR NO KEY UPDATE;
    PERFORM FROM staff WHERE tenant_id = p_tenant AND id IN (
        SELECT staff_id FROM bookings WHERE tenant_id = p_tenant AND order_id = ANY (v_orders))
    ORDER BY id FOR NO KEY UPDATE;
    PERFORM FROM items WHERE tenant_id = p_tenant AND id IN (
        SELECT item_id FROM order_line_stock WHERE tenant_id = p_tenant AND order_id = ANY (v_orders))
    ORDER BY id FOR NO KEY UPDATE;
    FOR v_change IN SELECT c.value FROM jsonb_array_elements(p -> 'changes') WITH ORDINALITY c
        ORDER BY c.ordinality LOOP
        PERFORM change_order_status(p_tenant, v_change || jsonb_build_object(
            'actor', p -> 'actor', 'message', v_message, 'notify', p -> 'notify'));
        v_message := 'false';
    END LOOP;
    PERFORM notify_members(p_tenant, v_orders, 'canceled', p -> 'actor');
    RETURN (p ->> 'series_id')::uuid;
END $$;
