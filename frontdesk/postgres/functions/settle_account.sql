-- Records one payment over several orders, of an account or at the counter, all or nothing. Its result is not read.
CREATE OR REPLACE FUNCTION settle_account(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_paid jsonb;
BEGIN
    PERFORM FROM orders WHERE tenant_id = p_tenant
        AND id IN (SELECT (e ->> 'order_id')::uuid FROM jsonb_array_elements(p -> 'payments') e)
    ORDER BY id FOR NO KEY UPDATE;
    PERFORM next_number(p_tenant, 'transaction_no', 0); -- locked before the counter of events
    FOR v_paid IN SELECT * FROM jsonb_array_elements(p -> 'payments') LOOP
        PERFORM pay_order(p_tenant, v_paid || jsonb_build_object('currency', p -> 'currency', 'cashier', p -> 'cashier',
            'cashier_code', p -> 'cashier_code', 'actor', p -> 'actor'));
    END LOOP;
    RETURN (p ->> 'customer_id')::uuid;
END $$;
