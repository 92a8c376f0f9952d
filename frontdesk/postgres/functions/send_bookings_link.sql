-- Queues a message with a link to all coming bookings of an e-mail address and to what it waits for, if there are any,
-- and stores the link for a day. An address gets at most five in an hour. Returns whether a message was
-- queued, which the page does not reveal.
CREATE OR REPLACE FUNCTION send_bookings_link(p_tenant uuid, p jsonb) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_email text := lower(p #>> '{message,email}');
    v_now timestamptz := clock_timestamp();
    v_bookings integer;
BEGIN
    IF (SELECT count(*) FROM booking_list_links
        WHERE tenant_id = p_tenant AND email = v_email AND created_at > v_now - interval '1 hour') >= 5 THEN
        RETURN false;
    END IF;
    SELECT count(booking_code(p_tenant, o)) INTO v_bookings FROM upcoming_orders_of_email(p_tenant, v_email, 50) o;
    IF v_bookings = 0 AND NOT EXISTS (
        SELECT 1 FROM waiting_list w JOIN customers c ON c.tenant_id = p_tenant AND c.id = w.customer_id
        WHERE w.tenant_id = p_tenant AND lower(c.email) = v_email AND NOT c.blocked AND w.last_day >= v_now::date - 1)
    THEN
        RETURN false;
    END IF;
    INSERT INTO booking_list_links (tenant_id, token_hash, email, expires_at)
    VALUES (p_tenant, decode(p ->> 'token_hash', 'hex'), v_email, v_now + interval '1 day');
    PERFORM queue_message(p_tenant, p -> 'message');
    RETURN true;
END $$;
