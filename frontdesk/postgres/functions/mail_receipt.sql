-- Sends the public address of an order's receipt by mail, and returns the message's id. The address is made if there is
-- none.
CREATE OR REPLACE FUNCTION mail_receipt(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    o orders;
    c customers;
    v_link uuid := create_receipt_link(p_tenant, p);
BEGIN
    SELECT * INTO o FROM orders WHERE tenant_id = p_tenant AND id = (p ->> 'order_id')::uuid;
    SELECT * INTO c FROM customers WHERE tenant_id = p_tenant AND id = o.customer_id;
    -- The message has the address, and loses it when the customer is erased.
    PERFORM record_activity(p_tenant, p -> 'actor', 'order.receipt_mailed', o.id, o.order_number::text);
    RETURN queue_message(p_tenant, jsonb_build_object('kind', 'receipt', 'order_id', o.id, 'customer_id', o.customer_id,
        'email', p ->> 'email', 'name', nullif(concat_ws(' ', c.first_name, c.last_name), ''),
        'language', coalesce(o.language, c.language),
        'data', jsonb_build_object('link', '/receipts/' || p_tenant || '/' || v_link)));
END $$;
