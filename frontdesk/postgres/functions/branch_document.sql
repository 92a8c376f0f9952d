-- The published form of one branch. VOLATILE, so that it sees what the same statement has just written.
CREATE OR REPLACE FUNCTION branch_document(p_tenant uuid, p_branch uuid) RETURNS json LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    b branches;
BEGIN
    SELECT * INTO b FROM branches WHERE tenant_id = p_tenant AND id = p_branch;
    RETURN CASE WHEN b.id IS NOT NULL THEN branch_json(b) END;
END $$;
