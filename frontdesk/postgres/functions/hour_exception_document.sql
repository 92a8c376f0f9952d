-- The published form of other hours for one day, of a branch or a staff member. VOLATILE, so that it sees what the same
-- statement has just written.
CREATE OR REPLACE FUNCTION hour_exception_document(p_tenant uuid, p_exception uuid) RETURNS json
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    e hour_exceptions;
    v_branch uuid;
    v_intervals json;
BEGIN
    SELECT * INTO e FROM hour_exceptions WHERE tenant_id = p_tenant AND id = p_exception;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    SELECT branch_id INTO v_branch FROM staff WHERE tenant_id = p_tenant AND id = e.staff_id;
    SELECT json_agg(json_build_object('from', format_minute(lower(r)), 'to', format_minute(upper(r))) ORDER BY r)
    INTO v_intervals FROM unnest(e.minutes) r;
    RETURN json_build_object('id', e.id, 'version', e.version, 'branch_id', coalesce(e.branch_id, v_branch),
        'staff_id', e.staff_id, 'day', e.day, 'intervals', coalesce(v_intervals, '[]'), 'note', e.note,
        'created_at', format_utc(e.created_at), 'updated_at', format_utc(e.updated_at));
END $$;
