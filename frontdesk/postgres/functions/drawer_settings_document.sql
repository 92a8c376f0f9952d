-- The published form of how a business counts its cash. p_business is the tenant. VOLATILE, so that it sees what the
-- same statement has just written.
CREATE OR REPLACE FUNCTION drawer_settings_document(p_tenant uuid, p_business uuid) RETURNS json
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_branches json;
    v_document json;
BEGIN
    SELECT json_agg(json_build_object('branch_id', b.id, 'drawers', b.drawer_count) ORDER BY b.name, b.id)
    INTO v_branches FROM branches b WHERE b.tenant_id = p_tenant;
    SELECT json_build_object('own_shifts', t.own_shifts, 'blind_count', t.blind_count,
        'branches', coalesce(v_branches, '[]')) INTO v_document
    FROM tenants t WHERE t.id = p_tenant;
    RETURN v_document;
END $$;
