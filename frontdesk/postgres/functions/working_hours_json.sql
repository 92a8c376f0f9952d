-- The data of the event that the weekly hours of a branch or a staff member have changed: the hours as
-- GET /staff/{uuid}/working-hour returns them, those of the branch for a staff member without any.
CREATE OR REPLACE FUNCTION working_hours_json(p_tenant uuid, p_branch uuid, p_staff uuid) RETURNS json
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_branch uuid := coalesce(p_branch, (SELECT branch_id FROM staff WHERE tenant_id = p_tenant AND id = p_staff));
    v_hours json;
BEGIN
    SELECT json_build_object('id', w.id, 'version', w.version,
        'source', CASE WHEN w.staff_id IS NULL THEN 'branch' ELSE 'staff' END,
        'all_time', w.all_time, 'active', w.active, 'intervals', (
            SELECT coalesce(json_agg(json_build_object(
                'id', n.id, 'day', ('{sun,mon,tue,wed,thu,fri,sat}'::text[])[n.day + 1],
                'from', format_minute(n.opens), 'to', format_minute(n.closes), 'active', n.active)
                ORDER BY n.day, n.opens, n.id), '[]')
            FROM working_intervals n WHERE n.tenant_id = p_tenant AND n.working_hour_id = w.id))
    INTO v_hours FROM working_hours w
    WHERE w.tenant_id = p_tenant AND w.is_default AND (w.branch_id = v_branch OR w.staff_id = p_staff)
    ORDER BY w.staff_id IS NULL LIMIT 1;
    RETURN json_build_object('branch_id', v_branch, 'staff_id', p_staff, 'working_hour', v_hours);
END $$;
