-- Offers a free time to a waiting customer, by mail, and returns the message's id. The same time is offered once. The
-- customer must have got as many offers as were read; the lock lets others that are sent meanwhile wait.
CREATE OR REPLACE FUNCTION offer_waiting_time(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    w waiting_list;
    c customers;
    s staff;
    b branches;
    v_day text;
    v_dedup_key text := 'offer:' || (p ->> 'entry_id') || ':' || (p ->> 'starts_at');
    v_id uuid;
BEGIN
    SELECT * INTO w FROM waiting_list WHERE tenant_id = p_tenant AND id = (p ->> 'entry_id')::uuid;
    SELECT * INTO c FROM customers WHERE tenant_id = p_tenant AND id = w.customer_id AND email IS NOT NULL
        AND NOT blocked FOR NO KEY UPDATE;
    IF NOT FOUND OR recent_offers(p_tenant, w.customer_id) <> (p ->> 'offers')::bigint THEN
        PERFORM raise_outdated();
    END IF;
    SELECT * INTO s FROM staff WHERE tenant_id = p_tenant AND id = (p ->> 'staff_id')::uuid;
    SELECT * INTO b FROM branches WHERE tenant_id = p_tenant AND id = s.branch_id;
    SELECT left(format_local((p ->> 'starts_at')::timestamptz, timezone), 10) INTO v_day FROM tenants
        WHERE id = p_tenant;
    v_id := queue_message(p_tenant,
        jsonb_build_object('kind', 'waiting_list_offer', 'customer_id', c.id, 'email', c.email,
        'name', concat_ws(' ', c.first_name, c.last_name), 'language', c.language, 'dedup_key', v_dedup_key,
        'expires_at', p -> 'starts_at', 'data',
            jsonb_build_object('starts_at', p -> 'starts_at', 'ends_at', p -> 'ends_at',
            -- The booking page with the services and the day chosen.
            'choice', '?branch=' || b.id || '&services=' || w.item_id || '::' || s.id || concat(
                ',' || nullif(array_to_string(w.more_item_ids, ','), '')) || '&date=' || v_day,
            'branch', coalesce(b.names ->> c.language, b.name), 'address', b.address, 'phone', b.phone, 'services', (
                SELECT jsonb_agg(jsonb_build_object('names', i.name,
                    'provider', CASE WHEN q.position = 1 THEN coalesce(s.names ->> c.language, s.name) ELSE '' END)
                    ORDER BY q.position)
                FROM unnest(w.item_id || w.more_item_ids) WITH ORDINALITY q (id, position)
                JOIN items i ON i.tenant_id = p_tenant AND i.id = q.id))));
    IF v_id IS NULL THEN
        RETURN (SELECT id FROM messages WHERE tenant_id = p_tenant AND dedup_key = v_dedup_key);
    END IF;
    PERFORM record_activity(p_tenant, p -> 'actor', 'customer.time_offered', c.id,
        concat_ws(' ', c.first_name, c.last_name), NULL, jsonb_build_object('starts_at', p -> 'starts_at'));
    RETURN v_id;
END $$;
