-- Weekly hours as the activity shows them: the times of each day.
CREATE OR REPLACE FUNCTION hours_json(p_tenant uuid, p_hour uuid) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_days jsonb;
BEGIN
    SELECT jsonb_object_agg(d.day, d.times) INTO v_days FROM (
        SELECT (ARRAY['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'])[day + 1] AS day,
            string_agg(format_minute(opens) || '–' || format_minute(closes), ', ' ORDER BY opens) AS times
        FROM working_intervals WHERE tenant_id = p_tenant AND working_hour_id = p_hour AND active GROUP BY day) d;
    RETURN coalesce(v_days, '{}') || (
        SELECT jsonb_build_object('all_time', all_time, 'active', active) FROM working_hours
        WHERE tenant_id = p_tenant AND id = p_hour);
END $$;
