-- Records several payments of an order and its tips, all or none, and returns the order's id.
CREATE OR REPLACE FUNCTION take_payments(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_order uuid := (p ->> 'order_id')::uuid;
    v_payment jsonb;
BEGIN
    PERFORM lock_order(p_tenant, v_order, (p ->> 'version')::integer);
    PERFORM insert_tips(p_tenant, v_order, p);
    PERFORM next_number(p_tenant, 'transaction_no', 0); -- locked before the counter of events
    FOR v_payment IN SELECT * FROM jsonb_array_elements(p -> 'payments') LOOP
        PERFORM pay_order(p_tenant, jsonb_build_object(
            'order_id', v_order, 'payment', v_payment, 'currency', p -> 'currency', 'cashier', p -> 'cashier',
            'cashier_code', p -> 'cashier_code', 'actor', p -> 'actor'));
    END LOOP;
    RETURN v_order;
END $$;
