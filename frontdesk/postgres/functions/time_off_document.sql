-- The published form of time off. Its note is for the team. VOLATILE, so that it sees what the same statement has just
-- written.
CREATE OR REPLACE FUNCTION time_off_document(p_tenant uuid, p_time_off uuid) RETURNS json
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_document json;
BEGIN
    SELECT json_build_object('id', o.id, 'version', o.version, 'branch_id', s.branch_id, 'staff_id', o.staff_id,
        'start', format_local(lower(o.during), t.timezone), 'end', format_local(upper(o.during), t.timezone),
        'status', o.status, 'created_at', format_utc(o.created_at), 'updated_at', format_utc(o.updated_at))
    INTO v_document FROM time_off o JOIN staff s ON s.tenant_id = p_tenant AND s.id = o.staff_id, tenants t
    WHERE o.tenant_id = p_tenant AND o.id = p_time_off AND t.id = p_tenant;
    RETURN v_document;
END $$;
