-- Holds a time for eight minutes for an API client, and returns the id of the hold. Bounds, beside those of place_hold
-- for what may be held of one provider and local day, which both share:
-- - a client holds ten times at a time (FD004), and for four hours together within an hour (FD004);
-- - of one provider and local day two hours are held together, or one longer time (FD005).
-- A time that another one holds or has booked since it was read is outdated. The advisory lock of place_hold keeps the
-- bounds exact.
CREATE OR REPLACE FUNCTION hold_time(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    c_hold CONSTANT interval := '8 minutes';
    c_times CONSTANT integer := 10;
    c_of_hour CONSTANT interval := '4 hours';
    c_share CONSTANT interval := '2 hours';
    v_client uuid := (p #>> '{actor,id}')::uuid;
    v_staff uuid := (p ->> 'staff_id')::uuid;
    v_busy tstzrange := tstzrange((p ->> 'busy_from')::timestamptz, (p ->> 'busy_until')::timestamptz);
    v_zone text := (SELECT timezone FROM tenants WHERE id = p_tenant);
    v_now timestamptz;
    v_day_of interval;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('holds of ' || p_tenant::text, 0));
    v_now := clock_timestamp();
    PERFORM FROM holds WHERE tenant_id = p_tenant AND staff_id = v_staff AND expires_at > v_now AND busy && v_busy;
    IF FOUND THEN
        PERFORM raise_outdated();
    END IF;
    PERFORM FROM bookings WHERE tenant_id = p_tenant AND staff_id = v_staff AND is_active AND busy && v_busy;
    IF FOUND THEN
        PERFORM raise_outdated();
    END IF;
    IF (SELECT count(*) FROM holds
        WHERE tenant_id = p_tenant AND client_id = v_client AND expires_at > v_now) >= c_times
        OR (SELECT sum(expires_at - created_at) FROM holds
            WHERE tenant_id = p_tenant AND client_id = v_client AND expires_at > v_now - interval '1 hour') + c_hold
            > c_of_hour
    THEN
        RAISE EXCEPTION 'the client holds as many times as it may' USING ERRCODE = 'FD004';
    END IF;
    SELECT sum(upper(busy) - lower(busy)) INTO v_day_of FROM holds
    WHERE tenant_id = p_tenant AND staff_id = v_staff AND expires_at > v_now
        AND lower(busy) >= day_start((p ->> 'day')::date, v_zone)
        AND lower(busy) < day_start((p ->> 'day')::date + 1, v_zone);
    IF v_day_of + (upper(v_busy) - lower(v_busy)) > c_share THEN
        RAISE EXCEPTION 'as much of the day of this provider is held as may be' USING ERRCODE = 'FD005';
    END IF;
    INSERT INTO holds (tenant_id, id, place, staff_id, busy, client_id, item_id, starts_at, ends_at, created_at,
        expires_at)
    VALUES (p_tenant, (p ->> 'id')::uuid, 1, v_staff, v_busy, v_client, (p ->> 'item_id')::uuid,
        (p ->> 'start')::timestamptz, (p ->> 'end')::timestamptz, v_now, v_now + c_hold);
    RETURN (p ->> 'id')::uuid;
END $$;
