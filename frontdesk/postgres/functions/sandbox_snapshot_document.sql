-- The published form of one snapshot of a sandbox. Null for an unknown id.
CREATE OR REPLACE FUNCTION sandbox_snapshot_document(p_tenant uuid, p_snapshot uuid) RETURNS json
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    s sandbox_snapshots;
BEGIN
    SELECT * INTO s FROM sandbox_snapshots WHERE tenant_id = p_tenant AND id = p_snapshot;
    RETURN CASE WHEN FOUND THEN sandbox_snapshot_json(s) END;
END $$;
