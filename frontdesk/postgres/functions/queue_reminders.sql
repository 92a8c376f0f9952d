-- Queues the reminders of all bookings of a business that start within the hours before which they are sent. They and
-- the point up to which they were queued are one transaction: whatever crashes, a booking gets one reminder. Orders
-- that are older than the business came with its data, and get none. The greetings of the day are queued too. Returns
-- how many.
CREATE OR REPLACE FUNCTION queue_reminders(p_tenant uuid) RETURNS integer LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    s message_settings;
    g reminder_progress;
    v_zone text;
    v_language text;
    v_since timestamptz;
    v_until timestamptz;
    v_queued integer := 0;
    v_checked timestamptz;
    v_by_phone boolean := has_message_application(p_tenant);
BEGIN
    SELECT timezone, languages[1], created_at INTO v_zone, v_language, v_since
    FROM tenants WHERE id = p_tenant AND suspended_at IS NULL;
    SELECT * INTO s FROM message_settings WHERE tenant_id = p_tenant;
    -- Reminders of the quiet hours are sent before they begin, so these bookings are read earlier.
    v_until := now() + make_interval(hours => coalesce(s.reminder_hours, 24), mins => CASE
        WHEN s.quiet_from IS NULL THEN 0 ELSE (s.quiet_until - s.quiet_from + 1440) % 1440 END);
    INSERT INTO reminder_progress (tenant_id, starts_until) VALUES (p_tenant, v_until) ON CONFLICT DO NOTHING;
    SELECT * INTO g FROM reminder_progress WHERE tenant_id = p_tenant FOR UPDATE;
    IF coalesce(s.reminder, true) AND v_zone IS NOT NULL THEN
        INSERT INTO messages (tenant_id, id, kind, order_id, customer_id, email, phone, name, language,
            unsubscribe_token, dedup_key, due_at, expires_at)
        SELECT p_tenant, uuid_v7(clock_timestamp()), 'reminder', o.id, c.id, a.email,
            CASE WHEN a.email IS NULL THEN c.phone END, concat_ws(' ', c.first_name, c.last_name),
            coalesce(o.language, c.language, v_language),
            replace(gen_random_uuid()::text, '-', ''),
            'reminder:' || o.id || ':' || extract(epoch FROM o.starts_at)::bigint,
            reminder_time(o.starts_at, coalesce(s.reminder_hours, 24), s.quiet_from, s.quiet_until, v_zone), o.starts_at
        FROM orders o JOIN customers c ON c.tenant_id = o.tenant_id AND c.id = o.customer_id
        CROSS JOIN LATERAL (SELECT message_address(o.created_by_type, o.contact_email, c.email) AS email) a
        WHERE o.tenant_id = p_tenant AND o.starts_at > greatest(g.starts_until, now()) AND o.starts_at <= v_until
            AND o.status = 'confirmed' AND o.created_at >= v_since AND c.reminders_stopped_at IS NULL
            AND (a.email IS NOT NULL OR v_by_phone AND c.phone IS NOT NULL)
            AND EXISTS (SELECT FROM bookings b WHERE b.tenant_id = p_tenant AND b.order_id = o.id)
        ON CONFLICT (tenant_id, dedup_key) DO NOTHING;
        GET DIAGNOSTICS v_queued = ROW_COUNT;
    END IF;
    IF s.birthday AND v_zone IS NOT NULL THEN
        v_queued := v_queued + queue_birthdays(p_tenant, v_zone, v_language, now());
    END IF;
    v_checked := clock_timestamp();
    UPDATE reminder_progress SET starts_until = greatest(starts_until, v_until), checked_at = v_checked
    WHERE tenant_id = p_tenant;
    RETURN v_queued;
END $$;
