-- The bookings of an order that is done: from the next minute on they hold no time, so that it can be booked again. What
-- was sold (`during`) stays. Bookings that are over, or were made on purpose over others, stay as they are.
CREATE OR REPLACE FUNCTION end_bookings(p_tenant uuid, p_order uuid, p_at timestamptz) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_until timestamptz := date_trunc('minute', p_at) + interval '1 minute';
    v_held tstzrange;
    k bookings;
BEGIN
    FOR k IN SELECT * FROM bookings WHERE tenant_id = p_tenant AND order_id = p_order AND is_active AND NOT is_extra
        AND upper(busy) > v_until LOOP
        v_held := k.busy * tstzrange(NULL, v_until);
        UPDATE bookings SET busy = v_held, ended_at = p_at WHERE tenant_id = p_tenant AND id = k.id;
        PERFORM release_minutes(p_tenant, k.staff_id, k.busy - v_held);
    END LOOP;
END $$;
