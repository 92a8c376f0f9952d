-- Queues a message about a booking to its customer, and returns its id. Nothing is queued for a time that is past or
-- at which only products are fetched, where the business does not send this kind, or for a customer without an e-mail
-- address, unless there is a phone number and an application that sends messages. Reminders that are planned move
-- with the booking. `p_data` is false where another message says it already. `p_notify` is the choice of a person: it
-- counts before what the business sends. Null: no choice.
CREATE OR REPLACE FUNCTION queue_order_message(
    p_tenant uuid, p_order uuid, p_kind text, p_actor jsonb DEFAULT NULL, p_data jsonb DEFAULT NULL,
    p_notify boolean DEFAULT NULL
) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    o record;
    s message_settings;
BEGIN
    SELECT r.customer_id, r.starts_at, r.status, r.created_by_type,
        message_address(r.created_by_type, r.contact_email, c.email) AS email, c.phone,
        concat_ws(' ', c.first_name, c.last_name) AS name,
        coalesce(r.language, c.language) AS language
    INTO o FROM orders r JOIN customers c ON c.tenant_id = r.tenant_id AND c.id = r.customer_id
    WHERE r.tenant_id = p_tenant AND r.id = p_order AND r.starts_at > now()
        AND EXISTS (SELECT FROM bookings b WHERE b.tenant_id = p_tenant AND b.order_id = p_order);
    IF NOT FOUND OR o.status NOT IN ('confirmed', 'canceled')
            OR o.email IS NULL AND (o.phone IS NULL OR NOT has_message_application(p_tenant)) THEN
        RETURN NULL;
    END IF;
    IF p_kind <> 'confirmation' THEN
        UPDATE messages SET state = 'dropped', answer = 'moved', finished_at = now()
        WHERE tenant_id = p_tenant AND order_id = p_order AND kind = 'reminder' AND state = 'due'
            AND event_id IS NULL; -- the worker first ends an offer to applications
    END IF;
    SELECT * INTO s FROM message_settings WHERE tenant_id = p_tenant;
    IF o.status = 'confirmed' AND s.quiet_from IS NOT NULL AND s.reminder THEN
        PERFORM queue_reminder(p_tenant, p_order);
    END IF;
    IF p_data = 'false'
            OR NOT coalesce(p_notify, CASE p_kind WHEN 'confirmation' THEN s.confirmation WHEN 'change' THEN s.change
                ELSE s.cancellation END, true)
            OR p_notify IS NULL AND o.created_by_type IN ('app', 'key') AND NOT coalesce(s.for_applications, false) THEN
        RETURN NULL;
    END IF;
    -- A message that waits says what is true when it is sent: one is enough. If an application was offered the waiting
    -- one, a second is queued.
    IF p_kind = 'change' THEN
        PERFORM FROM messages WHERE tenant_id = p_tenant AND order_id = p_order AND kind IN ('confirmation', 'change')
            AND state = 'due' AND lease IS NULL AND event_id IS NULL FOR UPDATE;
        IF FOUND THEN
            RETURN NULL;
        END IF;
    END IF;
    RETURN queue_message(p_tenant, jsonb_build_object('kind', p_kind, 'order_id', p_order, 'customer_id', o.customer_id,
        'email', o.email, 'phone', o.phone, 'name', o.name, 'language', o.language, 'expires_at', o.starts_at,
        'data', jsonb_strip_nulls(coalesce(p_data, '{}') || jsonb_build_object('by', p_actor ->> 'type'))));
END $$;
