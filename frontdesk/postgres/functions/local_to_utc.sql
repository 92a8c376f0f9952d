-- The instant of a local time: the first where the clocks show it twice, null where they skip it.
CREATE OR REPLACE FUNCTION local_to_utc(p_local timestamp,
    p_zone text) RETURNS timestamptz LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_instant timestamptz;
BEGIN
    SELECT min(c.instant) INTO v_instant FROM (
        SELECT (p_local - z.shift) AT TIME ZONE 'UTC' AS instant, z.starts,
            lead(z.starts, 1, 'infinity') OVER (ORDER BY z.starts) AS ends
        FROM (SELECT starts, shift FROM time_zone_offsets
            WHERE zone = p_zone AND starts < (p_local + interval '2 days') AT TIME ZONE 'UTC'
            ORDER BY starts DESC LIMIT 4) z
    ) c WHERE c.instant >= c.starts AND c.instant < c.ends;
    RETURN v_instant;
END $$;
