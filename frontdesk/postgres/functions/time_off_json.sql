-- Time off as the activity shows it.
CREATE OR REPLACE FUNCTION time_off_json(p_tenant uuid, o time_off) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_zone text;
BEGIN
    SELECT timezone INTO v_zone FROM tenants WHERE id = p_tenant;
    RETURN jsonb_build_object('starts', format_local(lower(o.during), v_zone),
        'ends', format_local(upper(o.during), v_zone), 'note', o.note, 'status', o.status);
END $$;
