-- Queues a message to a customer, and returns its id, or null if one with the same `dedup_key` is there already.
-- `data.encrypted` is an encrypted object with links and codes, in Base64 (messages/secret_data.py).
CREATE OR REPLACE FUNCTION queue_message(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_now timestamptz := clock_timestamp();
    v_kind text := p ->> 'kind';
    v_language text := p ->> 'language';
    v_id uuid;
BEGIN
    IF v_language IS NULL THEN
        SELECT languages[1] INTO v_language FROM tenants WHERE id = p_tenant;
    END IF;
    INSERT INTO messages (tenant_id, id, kind, order_id, customer_id, email, phone, name, language, data, secret,
        unsubscribe_token, dedup_key, due_at, expires_at, created_at)
    VALUES (p_tenant, uuid_v7(v_now), v_kind, (p ->> 'order_id')::uuid, (p ->> 'customer_id')::uuid,
        p ->> 'email',
        CASE WHEN p ->> 'email' IS NULL THEN p ->> 'phone' END, p ->> 'name', v_language,
        coalesce(p -> 'data', '{}') - 'encrypted', decode(p #>> '{data,encrypted}', 'base64'),
        CASE WHEN v_kind IN ('reminder', 'birthday') THEN replace(gen_random_uuid()::text, '-', '') END,
        p ->> 'dedup_key',
        coalesce((p ->> 'due_at')::timestamptz, v_now),
        coalesce((p ->> 'expires_at')::timestamptz, v_now + CASE
            WHEN v_kind = 'contact_code' THEN interval '1 hour' WHEN v_kind = 'bookings_link' THEN interval '1 day'
            WHEN v_kind = 'receipt' THEN interval '7 days' ELSE interval '2 days' END),
        v_now)
    ON CONFLICT (tenant_id, dedup_key) DO NOTHING
    RETURNING id INTO v_id;
    RETURN v_id;
END $$;
