-- Sets the minutes of new bookings busy. The caller holds their providers.
CREATE OR REPLACE FUNCTION set_bookings_busy(p_tenant uuid,
    p_bookings jsonb) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    b jsonb;
BEGIN
    FOR i IN 0..jsonb_array_length(p_bookings) - 1 LOOP
        b := p_bookings -> i;
        PERFORM set_busy(p_tenant, (b ->> 'staff_id')::uuid, CASE WHEN (b ->> 'is_extra')::boolean
            THEN tstzrange((b ->> 'start')::timestamptz, (b ->> 'end')::timestamptz)
            ELSE tstzrange((b ->> 'busy_from')::timestamptz, (b ->> 'busy_until')::timestamptz) END, true);
    END LOOP;
END $$;
