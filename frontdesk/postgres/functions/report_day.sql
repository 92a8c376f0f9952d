-- The day that something at a branch counts on in reports: the local day, or the next one if the branch closed it before.
CREATE OR REPLACE FUNCTION report_day(p_tenant uuid, p_branch uuid, p_at timestamptz) RETURNS date
LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_day date;
BEGIN
    SELECT (p_at AT TIME ZONE 'UTC' + z.shift)::date INTO v_day FROM time_zone_offsets z
    WHERE z.zone = (SELECT timezone FROM tenants WHERE id = p_tenant) AND z.starts <= p_at ORDER BY z.starts DESC LIMIT 1;
    PERFORM FROM day_closes WHERE tenant_id = p_tenant AND branch_id = p_branch AND day = v_day AND ends_at <= p_at;
    RETURN v_day + FOUND::integer;
END $$;
