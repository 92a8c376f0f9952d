-- Replaces a draft, confirms or completes it and records its payments, or leaves it as it was. Returns its id.
CREATE OR REPLACE FUNCTION finish_draft(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_order uuid := replace_draft(p_tenant, p);
    v_payment jsonb;
BEGIN
    PERFORM lock_providers(p_tenant, v_order, p -> 'bookings');
    PERFORM choose_stock_options(p_tenant, v_order);
    PERFORM next_number(p_tenant, 'order_number', 0);
    PERFORM next_number(p_tenant, 'transaction_no', 0); -- locked before the counter of events
    PERFORM insert_tips(p_tenant, v_order, p);
    PERFORM change_order_status(p_tenant, jsonb_build_object(
        'order_id', v_order, 'status', p -> 'status', 'effect', 'confirm', 'bookings', p -> 'bookings',
        'actor', p -> 'actor'));
    FOR v_payment IN SELECT * FROM jsonb_array_elements(p -> 'payments') LOOP
        PERFORM pay_order(p_tenant, jsonb_build_object(
            'order_id', v_order, 'payment', v_payment, 'currency', p -> 'currency', 'cashier', p -> 'cashier',
            'cashier_code', p -> 'cashier_code', 'actor', p -> 'actor'));
    END LOOP;
    RETURN v_order;
END $$;
