-- The published form of the days from today on on which a branch is closed. VOLATILE, so that it sees what the same
-- statement has just written.
CREATE OR REPLACE FUNCTION closed_days_document(p_tenant uuid, p_branch uuid) RETURNS json
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_days json;
BEGIN
    SELECT json_agg(json_build_object('day', c.day, 'note', c.note) ORDER BY c.day) INTO v_days
    FROM closed_days c, tenants t
    WHERE c.tenant_id = p_tenant AND c.branch_id = p_branch AND t.id = p_tenant AND c.day >= local_today(t.timezone);
    RETURN json_build_object('branch_id', p_branch, 'days', coalesce(v_days, '[]'));
END $$;
