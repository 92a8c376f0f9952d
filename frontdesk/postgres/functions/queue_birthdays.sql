-- Queues the greetings of a business to the customers whose birthday is today, from 9 o'clock in its time zone on, once
-- a day. Only who has agreed to news gets one. Who was born on 29 February gets it on the 28th in the years without
-- that day. Returns how many.
CREATE OR REPLACE FUNCTION queue_birthdays(p_tenant uuid, p_zone text, p_language text, p_now timestamptz)
RETURNS integer LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_now timestamp;
    v_today date;
    v_days text[];
    v_until timestamptz;
    v_queued integer;
BEGIN
    SELECT p_now AT TIME ZONE 'UTC' + z.shift INTO v_now FROM time_zone_offsets z
    WHERE z.zone = p_zone AND z.starts <= p_now ORDER BY z.starts DESC LIMIT 1;
    v_today := v_now::date;
    v_days := ARRAY[to_char(v_today, 'MM-DD')];
    v_until := day_start(v_today + 1, p_zone);
    PERFORM FROM reminder_progress WHERE tenant_id = p_tenant AND birthdays_on >= v_today;
    IF FOUND OR v_now::time < '09:00' THEN
        RETURN 0;
    END IF;
    IF v_days = ARRAY['02-28'] AND to_char(v_today + 1, 'MM-DD') = '03-01' THEN
        v_days := v_days || '02-29'::text;
    END IF;
    INSERT INTO messages (tenant_id, id, kind, customer_id, email, name, language, unsubscribe_token, dedup_key,
        due_at, expires_at)
    SELECT p_tenant, uuid_v7(clock_timestamp()), 'birthday', c.id, c.email, concat_ws(' ', c.first_name, c.last_name),
        coalesce(c.language, p_language), replace(gen_random_uuid()::text, '-', ''),
        'birthday:' || c.id || ':' || to_char(v_today, 'YYYY'), now(), v_until
    FROM customers c
    WHERE c.tenant_id = p_tenant AND "right"(c.birthday, 5) = ANY (v_days) AND c.email IS NOT NULL AND NOT c.blocked
        AND EXISTS (SELECT k.id FROM customer_consents k
            WHERE k.tenant_id = p_tenant AND k.customer_id = c.id AND k.withdrawn_at IS NULL)
    ON CONFLICT (tenant_id, dedup_key) DO NOTHING;
    GET DIAGNOSTICS v_queued = ROW_COUNT;
    UPDATE reminder_progress SET birthdays_on = v_today WHERE tenant_id = p_tenant;
    RETURN v_queued;
END $$;
