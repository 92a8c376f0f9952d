-- The day that it is now in a time zone.
CREATE OR REPLACE FUNCTION local_today(p_zone text) RETURNS date LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT (now() AT TIME ZONE 'UTC' + z.shift)::date FROM time_zone_offsets z
            WHERE z.zone = p_zone AND z.starts <= now() ORDER BY z.starts DESC LIMIT 1);
END $$;
