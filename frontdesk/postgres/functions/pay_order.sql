-- Records a payment of an order and returns the transaction's id.
CREATE OR REPLACE FUNCTION pay_order(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_order uuid := (p ->> 'order_id')::uuid;
    v_transaction uuid := (p -> 'payment' ->> 'id')::uuid;
    o orders;
    v_status text;
    v_at timestamptz;
    v_types text[] := ARRAY['transaction.created'];
    v_data json[];
BEGIN
    o := lock_order(p_tenant, v_order, (p ->> 'version')::integer);
    v_at := insert_payments(p_tenant, v_order, p ->> 'currency', jsonb_build_array(p -> 'payment'),
                            p ->> 'cashier', p ->> 'cashier_code', p -> 'actor');
    UPDATE orders SET paid_amount = paid_amount + (p -> 'payment' ->> 'amount')::numeric, updated_at = v_at,
        version = version + 1
    WHERE tenant_id = p_tenant AND id = v_order RETURNING payment_status INTO v_status;
    PERFORM record_activity(p_tenant, p -> 'actor', 'order.paid', v_order, o.order_number::text, NULL,
        jsonb_build_object('amount', p -> 'payment' -> 'amount', 'method_id', p -> 'payment' -> 'method_id',
            'cashier', p -> 'cashier'));
    v_data := ARRAY[json_build_object('transaction', transaction_document(p_tenant, v_transaction))];
    IF v_status <> o.payment_status THEN
        v_types := v_types || 'order.payment_status_changed'::text;
        v_data := v_data || payment_status_changed_json(p_tenant, v_order, o.payment_status);
    END IF;
    PERFORM emit_events(p_tenant, v_types, v_data, p_actor => p -> 'actor');
    RETURN v_transaction;
END $$;
