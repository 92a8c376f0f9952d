-- Queues the reminder of a booking that starts within the time for which reminders have been queued already; other
-- bookings get theirs from `queue_reminders`. A booking that was made or moved after its reminder would have been sent
-- gets none.
CREATE OR REPLACE FUNCTION queue_reminder(p_tenant uuid, p_order uuid) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    INSERT INTO messages AS m (tenant_id, id, kind, order_id, customer_id, email, phone, name, language,
        unsubscribe_token, dedup_key, due_at, expires_at)
    SELECT p_tenant, uuid_v7(clock_timestamp()), 'reminder', o.id, c.id, a.email,
        CASE WHEN a.email IS NULL THEN c.phone END, concat_ws(' ', c.first_name, c.last_name),
        coalesce(o.language, c.language, t.languages[1]), replace(gen_random_uuid()::text, '-', ''),
        'reminder:' || o.id || ':' || extract(epoch FROM o.starts_at)::bigint, d.due_at, o.starts_at
    FROM orders o
    JOIN customers c ON c.tenant_id = o.tenant_id AND c.id = o.customer_id
    JOIN tenants t ON t.id = o.tenant_id
    JOIN message_settings s ON s.tenant_id = o.tenant_id
    JOIN reminder_progress g ON g.tenant_id = o.tenant_id
    CROSS JOIN LATERAL (
        SELECT reminder_time(o.starts_at, s.reminder_hours, s.quiet_from, s.quiet_until, t.timezone) AS due_at) d
    CROSS JOIN LATERAL (SELECT message_address(o.created_by_type, o.contact_email, c.email) AS email) a
    WHERE o.tenant_id = p_tenant AND o.id = p_order AND o.status = 'confirmed' AND o.starts_at <= g.starts_until
        AND d.due_at > now() AND c.reminders_stopped_at IS NULL
        AND EXISTS (SELECT FROM bookings b WHERE b.tenant_id = p_tenant AND b.order_id = o.id)
        AND (a.email IS NOT NULL OR c.phone IS NOT NULL AND has_message_application(p_tenant))
    ON CONFLICT (tenant_id, dedup_key) DO UPDATE SET state = 'due', due_at = excluded.due_at, answer = NULL,
        finished_at = NULL,
            event_id = NULL, offered_at = NULL
        WHERE m.state = 'dropped';
END $$;
