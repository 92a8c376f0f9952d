-- Holds the times of a form on the public page for two minutes, in place of those that it held before, and returns
-- until when ({"until": …}), or {"until": null} if nothing more may be held. Bounds:
-- - a form holds for eight minutes in all;
-- - the forms of one network address hold three bookings at a time, and for half an hour together within an hour;
-- - of one provider and local day one booking of up to four hours may be held, or several of two hours together.
-- What has ended stays for an hour, because it counts. An advisory lock keeps the bounds exact. Nothing else waits for
-- it: bookings do not take it.
CREATE OR REPLACE FUNCTION place_hold(p_tenant uuid, p jsonb) RETURNS jsonb LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    c_hold CONSTANT interval := '2 minutes';
    c_whole CONSTANT interval := '8 minutes';
    c_forms CONSTANT integer := 3;
    c_of_hour CONSTANT interval := '30 minutes';
    c_share CONSTANT interval := '2 hours';
    c_longest CONSTANT interval := '4 hours';
    v_id uuid := (p ->> 'id')::uuid;
    v_network bytea := decode(p ->> 'network', 'hex');
    v_now timestamptz := clock_timestamp();
    v_zone text := (SELECT timezone FROM tenants WHERE id = p_tenant);
    v_first timestamptz;
    v_until timestamptz;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('holds of ' || p_tenant::text, 0));
    SELECT least(min(created_at), v_now) INTO v_first FROM holds WHERE tenant_id = p_tenant AND id = v_id;
    UPDATE holds SET expires_at = v_now WHERE tenant_id = p_tenant AND id = v_id AND expires_at > v_now;
    v_until := least(v_now + c_hold, v_first + c_whole);
    IF v_until <= v_now
        OR (SELECT count(DISTINCT id) FROM holds
            WHERE tenant_id = p_tenant AND network = v_network AND expires_at > v_now) >= c_forms
        OR (SELECT sum(h.used) FROM (
                SELECT max(expires_at) - min(created_at) AS used FROM holds
                WHERE tenant_id = p_tenant AND network = v_network AND expires_at > v_now - interval '1 hour'
                GROUP BY id) h) + c_hold > c_of_hour
        OR EXISTS (
            SELECT FROM jsonb_to_recordset(p -> 'times') AS n (staff_id uuid, busy_from timestamptz,
                busy_until timestamptz)
            GROUP BY n.staff_id HAVING sum(n.busy_until - n.busy_from) > c_longest)
        OR EXISTS (
            SELECT FROM jsonb_to_recordset(p -> 'times') AS n (
                staff_id uuid, busy_from timestamptz, busy_until timestamptz, day date)
            JOIN holds h ON h.tenant_id = p_tenant AND h.staff_id = n.staff_id AND h.expires_at > v_now
                AND lower(h.busy) >= day_start(n.day, v_zone) AND lower(h.busy) < day_start(n.day + 1, v_zone)
            GROUP BY n.staff_id, n.busy_from, n.busy_until
            HAVING bool_or(h.busy && tstzrange(n.busy_from, n.busy_until))
                OR sum(upper(h.busy) - lower(h.busy)) + (n.busy_until - n.busy_from) > c_share)
    THEN
        RETURN jsonb_build_object('until', NULL);
    END IF;
    DELETE FROM holds WHERE tenant_id = p_tenant AND id = v_id;
    INSERT INTO holds (tenant_id, id, place, staff_id, busy, network, created_at, expires_at)
    SELECT p_tenant, v_id, n.place, (n.value ->> 'staff_id')::uuid,
        tstzrange((n.value ->> 'busy_from')::timestamptz, (n.value ->> 'busy_until')::timestamptz), v_network, v_first,
            v_until
    FROM jsonb_array_elements(p -> 'times') WITH ORDINALITY n (value, place);
    RETURN jsonb_build_object('until', v_until);
END $$;
