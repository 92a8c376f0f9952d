-- Stores the code that proves the e-mail address of a form and queues the message with it. A form has one code at a
-- time; a new one replaces it, at most once a minute. An e-mail address gets five in an hour that one network address
-- has asked for, and twenty in all: who asks for codes in another's name does not keep them from their own. Returns
-- whether a message was queued.
CREATE OR REPLACE FUNCTION send_contact_code(p_tenant uuid, p jsonb) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_id uuid := (p ->> 'id')::uuid;
    v_network bytea := decode(p ->> 'network', 'hex');
    v_email text := p #>> '{message,email}';
    v_now timestamptz;
    v_minute_ago timestamptz;
BEGIN
    -- Requests for the same address at the same time count each other.
    PERFORM pg_advisory_xact_lock(hashtextextended('codes of ' || p_tenant::text || lower(v_email), 0));
    v_now := clock_timestamp();
    v_minute_ago := v_now - interval '1 minute';
    IF (SELECT coalesce(sum(many), 0) FROM contact_codes WHERE tenant_id = p_tenant AND network = v_network
            AND lower(email) = lower(v_email) AND sent_at > v_now - interval '1 hour') >= 5
        OR (SELECT count(*) FROM messages WHERE tenant_id = p_tenant AND kind = 'contact_code'
            AND lower(email) = lower(v_email)
            AND id > uuid_v7(v_now - interval '1 hour')) >= 20 THEN -- ids begin with their time
        RETURN false;
    END IF;
    -- The codes that this form has requested for another address still count.
    INSERT INTO contact_codes (tenant_id, id, email, code_hash, tries, network, many, sent_at, expires_at)
    SELECT tenant_id, gen_random_uuid(), email, code_hash, 5, network, many, sent_at, expires_at FROM contact_codes
    WHERE tenant_id = p_tenant AND id = v_id AND lower(email) <> lower(v_email)
        AND sent_at < v_minute_ago;
    INSERT INTO contact_codes AS c (tenant_id, id, email, code_hash, network, sent_at, expires_at)
    VALUES (p_tenant, v_id, v_email, decode(p ->> 'code_hash', 'hex'), v_network, v_now,
        v_now + interval '10 minutes')
    ON CONFLICT (tenant_id, id) DO UPDATE
    SET email = excluded.email, code_hash = excluded.code_hash, tries = 0, network = excluded.network,
        many = CASE WHEN lower(c.email) = lower(excluded.email) THEN c.many + 1 ELSE 1 END, sent_at = excluded.sent_at,
        expires_at = excluded.expires_at
    WHERE c.sent_at < v_minute_ago;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    PERFORM queue_message(p_tenant, p -> 'message');
    RETURN true;
END $$;
