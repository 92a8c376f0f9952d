-- The first instant of a local day. Where the clocks skip midnight the day begins later than 00:00.
CREATE OR REPLACE FUNCTION day_start(p_day date, p_zone text) RETURNS timestamptz LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_start timestamptz;
BEGIN
    SELECT min(c.instant) INTO v_start FROM (
        SELECT greatest(z.starts, (p_day - z.shift) AT TIME ZONE 'UTC') AS instant,
            lead(z.starts, 1, 'infinity') OVER (ORDER BY z.starts) AS ends
        FROM (SELECT starts, shift FROM time_zone_offsets
            WHERE zone = p_zone AND starts < (p_day + 2) AT TIME ZONE 'UTC' ORDER BY starts DESC LIMIT 4) z
    ) c WHERE c.instant < c.ends;
    RETURN v_start;
END $$;
