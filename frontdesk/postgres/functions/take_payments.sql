-- Records several payments of an order and its tips, all or none, and returns the order's id. With `on_account` the
-- customer owes the rest.
CREATE OR REPLACE FUNCTION take_payments(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_order uuid := (p ->> 'order_id')::uuid;
    v_payment jsonb;
    v_on_account boolean := coalesce((p ->> 'on_account')::boolean, false);
    v_left numeric;
    o orders;
BEGIN
    o := lock_order(p_tenant, v_order, (p ->> 'version')::integer);
    IF v_on_account THEN
        SELECT o.total - o.paid_amount - coalesce(sum((e ->> 'amount')::numeric), 0) INTO v_left
        FROM jsonb_array_elements(p -> 'payments') e;
        PERFORM lock_account(p_tenant, o.customer_id, v_order, v_left);
        UPDATE orders SET on_account = true, version = version + 1, updated_at = monotonic_now(updated_at)
        WHERE tenant_id = p_tenant AND id = v_order;
    END IF;
    PERFORM insert_tips(p_tenant, v_order, p);
    PERFORM next_number(p_tenant, 'transaction_no', 0); -- locked before the counter of events
    FOR v_payment IN SELECT * FROM jsonb_array_elements(p -> 'payments') LOOP
        PERFORM pay_order(p_tenant, jsonb_build_object(
            'order_id', v_order, 'payment', v_payment, 'currency', p -> 'currency', 'cashier', p -> 'cashier',
            'cashier_code', p -> 'cashier_code', 'actor', p -> 'actor'));
    END LOOP;
    IF v_on_account THEN
        PERFORM record_activity(p_tenant, p -> 'actor', 'order.put_on_account', v_order, o.order_number::text, NULL,
            jsonb_build_object('amount', v_left));
        PERFORM emit_events(p_tenant, ARRAY['order.updated'], ARRAY[json_build_object(
            'order', publish_order(p_tenant, v_order),
            'previous_total', round(o.total, (SELECT currency_decimals FROM tenants WHERE id = p_tenant)),
            'changed_by', changed_by_json(p #>> '{actor,type}', (p #>> '{actor,id}')::uuid))],
            p_actor => p -> 'actor');
    END IF;
    RETURN v_order;
END $$;
