-- The data of the event order.payment_status_changed.
CREATE OR REPLACE FUNCTION payment_status_changed_json(p_tenant uuid, p_order uuid, p_previous text) RETURNS json
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_order json := publish_order(p_tenant, p_order);
BEGIN
    RETURN json_build_object('order', v_order, 'previous_payment_status', p_previous,
        'payment_status', v_order -> 'payment_status');
END $$;
