-- The published form of a hold of an API client. VOLATILE, so that it sees what the same statement has just written.
CREATE OR REPLACE FUNCTION hold_document(p_tenant uuid, p_hold uuid) RETURNS json LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_zone text := (SELECT timezone FROM tenants WHERE id = p_tenant);
    h holds;
BEGIN
    SELECT * INTO h FROM holds WHERE tenant_id = p_tenant AND id = p_hold;
    RETURN CASE WHEN FOUND THEN json_build_object(
        'id', h.id, 'service_id', h.item_id, 'staff_id', h.staff_id, 'start', format_local(h.starts_at, v_zone),
        'end', format_local(h.ends_at, v_zone), 'expires_at', format_utc(h.expires_at)) END;
END $$;
