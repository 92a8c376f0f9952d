-- Offers a message to the applications that subscribe to `message.due`, before it is sent by mail. Returns false if
-- there is none. p is what the message says; the customer's contact details are read here.
CREATE OR REPLACE FUNCTION offer_message(p_tenant uuid, p jsonb) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    m messages;
    c customers;
    v_zone text;
    v_event uuid;
    v_now timestamptz := clock_timestamp();
BEGIN
    IF NOT has_message_application(p_tenant) THEN
        RETURN false;
    END IF;
    UPDATE messages SET offered_at = v_now, lease = NULL, leased_until = NULL,
        due_at = v_now + make_interval(secs => (p ->> 'seconds')::float8)
    WHERE tenant_id = p_tenant AND id = (p ->> 'id')::uuid AND lease = (p ->> 'lease')::uuid RETURNING * INTO m;
    IF NOT FOUND THEN
        RETURN true; -- another worker has it now
    END IF;
    SELECT * INTO c FROM customers WHERE tenant_id = p_tenant AND id = m.customer_id;
    SELECT timezone INTO v_zone FROM tenants WHERE id = p_tenant;
    PERFORM emit_events(p_tenant, ARRAY['message.due'], ARRAY[json_build_object('message', json_build_object(
        'id', m.id, 'kind', m.kind, 'order_id', m.order_id, 'language', p ->> 'language', 'subject', p ->> 'subject',
        'text', p ->> 'text', 'link', p ->> 'link',
        'recipient', json_build_object('customer_id', c.id, 'name', m.name, 'email', m.email, 'phone',
            coalesce(m.phone, c.phone)),
        'expires_at', format_local((p ->> 'expires_at')::timestamptz, v_zone)))]);
    SELECT e.id INTO v_event FROM events e
    WHERE e.tenant_id = p_tenant AND e.type = 'message.due' ORDER BY e.sequence DESC LIMIT 1;
    UPDATE messages SET event_id = v_event WHERE tenant_id = p_tenant AND id = m.id;
    RETURN true;
END $$;
