-- The bookings of an order that is done: they hold their time until the next minute, and their buffer after it, so that
-- the rest can be booked again. Services that have not begun hold none at all. What was sold (`during`) stays. Bookings
-- that are over, or were made on purpose over others, stay as they are.
CREATE OR REPLACE FUNCTION end_bookings(p_tenant uuid, p_order uuid, p_at timestamptz) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_until timestamptz := date_trunc('minute', p_at) + interval '1 minute';
    v_held tstzrange;
    k bookings;
BEGIN
    IF NOT EXISTS (
        SELECT FROM bookings WHERE tenant_id = p_tenant AND order_id = p_order AND lower(during) <= p_at) THEN
        RETURN;
    END IF;
    FOR k IN SELECT * FROM bookings WHERE tenant_id = p_tenant AND order_id = p_order AND is_active AND NOT is_extra
        AND upper(during) > v_until LOOP
        v_held := 'empty';
        IF lower(k.during) < v_until THEN
            v_held := k.busy * tstzrange(NULL, v_until + (upper(k.busy) - upper(k.during)));
        END IF;
        UPDATE bookings SET busy = v_held, ended_at = p_at WHERE tenant_id = p_tenant AND id = k.id;
        PERFORM release_minutes(p_tenant, k.staff_id, k.busy - v_held);
    END LOOP;
END $$;
