-- Queues a message to a user, and returns its id. `data.encrypted` is as in `queue_message`.
CREATE OR REPLACE FUNCTION queue_account_message(p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_now timestamptz := pg_catalog.clock_timestamp();
    v_id uuid := uuid_v7(v_now);
BEGIN
    INSERT INTO account_messages (id, kind, email, name, language, data, secret, due_at, expires_at, created_at)
    VALUES (v_id, p ->> 'kind', p ->> 'email', p ->> 'name', coalesce(p ->> 'language', 'en'),
        coalesce(p -> 'data', '{}') - 'encrypted', decode(p #>> '{data,encrypted}', 'base64'), v_now,
        coalesce((p ->> 'expires_at')::timestamptz, v_now + CASE p ->> 'kind'
            WHEN 'password_reset' THEN interval '1 hour' WHEN 'invitation' THEN interval '7 days'
            WHEN 'api_changes' THEN interval '7 days' ELSE interval '1 day' END),
        v_now);
    RETURN v_id;
END $$;
