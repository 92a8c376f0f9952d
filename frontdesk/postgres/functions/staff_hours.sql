-- The weekly hours of a staff member as set_working_hours takes them; null if they have the branch's.
CREATE OR REPLACE FUNCTION staff_hours(p_tenant uuid, p_staff uuid) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object('all_time', w.all_time, 'intervals', (
        SELECT coalesce(jsonb_agg(jsonb_build_array(n.day, n.opens, n.closes) ORDER BY n.day, n.opens), '[]')
        FROM working_intervals n WHERE n.tenant_id = p_tenant AND n.working_hour_id = w.id AND n.active))
    FROM working_hours w WHERE w.tenant_id = p_tenant AND w.staff_id = p_staff AND w.is_default AND w.active
$$;
