-- Replaces a draft, confirms or completes it and records its payments, or leaves it as it was. Returns its id.
-- Providers and products are locked first, because replace_draft locks the customer.
CREATE OR REPLACE FUNCTION finish_draft(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_order uuid := (p ->> 'id')::uuid;
    v_payment jsonb;
BEGIN
    PERFORM lock_order(p_tenant, v_order, (p ->> 'version')::integer);
    PERFORM lock_providers(p_tenant, v_order, p -> 'bookings');
    PERFORM FROM items WHERE tenant_id = p_tenant
        AND id IN (SELECT s.item_id FROM jsonb_to_recordset(p -> 'stock') AS s (item_id uuid))
    ORDER BY id FOR NO KEY UPDATE;
    PERFORM replace_draft(p_tenant, p);
    PERFORM next_number(p_tenant, 'order_number', 0);
    PERFORM next_number(p_tenant, 'transaction_no', 0); -- locked before the counter of events
    PERFORM insert_tips(p_tenant, v_order, p);
    PERFORM change_order_status(p_tenant, jsonb_build_object(
        'order_id', v_order, 'status', p -> 'status', 'effect', 'confirm', 'bookings', p -> 'bookings',
        'oversell', p -> 'oversell', 'actor', p -> 'actor'));
    FOR v_payment IN SELECT * FROM jsonb_array_elements(p -> 'payments') LOOP
        PERFORM pay_order(p_tenant, jsonb_build_object(
            'order_id', v_order, 'payment', v_payment, 'currency', p -> 'currency', 'cashier', p -> 'cashier',
            'cashier_code', p -> 'cashier_code', 'actor', p -> 'actor'));
    END LOOP;
    RETURN v_order;
END $$;
