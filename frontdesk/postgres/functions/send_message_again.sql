-- Queues a message once more, to the address that the customer has now, and returns the id of the new one.
CREATE OR REPLACE FUNCTION send_message_again(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    m messages;
    v_id uuid;
BEGIN
    SELECT * INTO m FROM messages WHERE tenant_id = p_tenant AND id = (p ->> 'id')::uuid FOR UPDATE;
    IF NOT FOUND OR m.state = 'due' THEN
        PERFORM raise_outdated();
    END IF;
    v_id := queue_message(p_tenant,
        jsonb_build_object('kind', m.kind, 'order_id', m.order_id, 'customer_id', m.customer_id,
        'email', coalesce((SELECT email FROM customers WHERE tenant_id = p_tenant AND id = m.customer_id), m.email),
        'phone', m.phone, 'name', m.name, 'language', m.language, 'data', m.data,
        'expires_at', (SELECT starts_at FROM orders WHERE tenant_id = p_tenant AND id = m.order_id AND m.kind IN (
            'confirmation', 'change', 'cancellation', 'reminder'))));
    UPDATE messages SET secret = m.secret WHERE tenant_id = p_tenant AND id = v_id;
    UPDATE messages SET sent_again_at = now() WHERE tenant_id = p_tenant AND id = m.id;
    PERFORM record_activity(p_tenant, p -> 'actor', 'messages.sent_again', coalesce(m.customer_id, m.order_id), m.name,
        NULL,
        jsonb_build_object('kind', m.kind));
    RETURN v_id;
END $$;
