-- Replaces a draft, confirms or completes it and records its payments, or leaves it as it was. Returns its id.
-- Providers and products are locked first, because replace_draft locks the customer.
CREATE OR REPLACE FUNCTION finish_draft(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_order uuid := (p ->> 'id')::uuid;
    v_payment jsonb;
    v_left numeric := (p ->> 'total')::numeric - (p ->> 'paid_amount')::numeric;
    o orders;
BEGIN
    o := lock_order(p_tenant, v_order, (p ->> 'version')::integer);
    PERFORM lock_providers(p_tenant, v_order, p -> 'bookings');
    PERFORM FROM items WHERE tenant_id = p_tenant
        AND id IN (SELECT s.item_id FROM jsonb_to_recordset(p -> 'stock') AS s (item_id uuid))
    ORDER BY id FOR NO KEY UPDATE;
    IF (p ->> 'on_account')::boolean THEN
        PERFORM lock_account(p_tenant, (p ->> 'customer_id')::uuid, v_order, v_left);
        UPDATE orders SET on_account = true WHERE tenant_id = p_tenant AND id = v_order;
    END IF;
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
    IF (p ->> 'on_account')::boolean THEN
        PERFORM record_activity(p_tenant, p -> 'actor', 'order.put_on_account', v_order, o.order_number::text, NULL,
            jsonb_build_object('amount', v_left));
    END IF;
    RETURN v_order;
END $$;
