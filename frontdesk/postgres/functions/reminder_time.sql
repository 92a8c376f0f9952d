-- When the reminder of a booking is sent: so many hours before, but not in the quiet hours of the business. What falls
-- into them waits for their end; where that would leave less than an hour, it is sent before they begin.
CREATE OR REPLACE FUNCTION reminder_time(
    p_start timestamptz, p_hours integer, p_quiet_from integer, p_quiet_until integer, p_zone text
) RETURNS timestamptz LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_at timestamptz := p_start - make_interval(hours => p_hours);
    v_local timestamp;
    v_minute integer;
    v_end timestamptz;
BEGIN
    IF p_quiet_from IS NULL THEN
        RETURN v_at;
    END IF;
    SELECT v_at AT TIME ZONE 'UTC' + z.shift INTO v_local FROM time_zone_offsets z
    WHERE z.zone = p_zone AND z.starts <= v_at ORDER BY z.starts DESC LIMIT 1;
    v_minute := extract(hour FROM v_local) * 60 + extract(minute FROM v_local);
    -- Minutes since the beginning of the quiet hours, of the length that they have.
    IF (v_minute - p_quiet_from + 1440) % 1440 >= (p_quiet_until - p_quiet_from + 1440) % 1440 THEN
        RETURN v_at;
    END IF;
    v_end := v_at + make_interval(mins => (p_quiet_until - v_minute + 1440) % 1440);
    RETURN CASE WHEN v_end <= p_start - interval '1 hour' THEN v_end
        ELSE v_at - make_interval(mins => (v_minute - p_quiet_from + 1440) % 1440 + 1) END;
END $$;
