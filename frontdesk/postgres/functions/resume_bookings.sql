-- The bookings of an order that is not done after all: they hold their time again, if nobody has booked it since. The
-- buffer of one that held nothing is lost.
CREATE OR REPLACE FUNCTION resume_bookings(p_tenant uuid, p_order uuid) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_held tstzrange;
    k bookings;
BEGIN
    FOR k IN SELECT * FROM bookings WHERE tenant_id = p_tenant AND order_id = p_order AND is_active
        AND ended_at IS NOT NULL LOOP
        v_held := k.during;
        IF NOT isempty(k.busy) THEN
            v_held := tstzrange(lower(k.busy), upper(k.during)
                + (upper(k.busy) - date_trunc('minute', k.ended_at) - interval '1 minute'));
        END IF;
        IF NOT EXISTS (SELECT FROM bookings WHERE tenant_id = p_tenant AND staff_id = k.staff_id AND id <> k.id
            AND is_active AND busy && v_held) THEN
            UPDATE bookings SET busy = v_held, ended_at = NULL WHERE tenant_id = p_tenant AND id = k.id;
            PERFORM set_busy(p_tenant, k.staff_id, v_held, true);
        END IF;
    END LOOP;
END $$;
