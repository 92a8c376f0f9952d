-- The business day of what happens at a moment: the local day. A close ends a part of a day, so it changes nothing
-- here.
CREATE OR REPLACE FUNCTION report_day(p_tenant uuid, p_at timestamptz) RETURNS date LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_day date;
BEGIN
    SELECT (p_at AT TIME ZONE 'UTC' + z.shift)::date INTO v_day FROM time_zone_offsets z
    WHERE z.zone = (SELECT timezone FROM tenants WHERE id = p_tenant) AND z.starts <= p_at
        ORDER BY z.starts DESC LIMIT 1;
    RETURN v_day;
END $$;
