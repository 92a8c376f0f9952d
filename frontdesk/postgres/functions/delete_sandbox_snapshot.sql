-- Deletes a snapshot of a sandbox.
CREATE OR REPLACE FUNCTION delete_sandbox_snapshot(p_tenant uuid, p jsonb) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_snapshot uuid := (p ->> 'id')::uuid;
    v_name text;
BEGIN
    DELETE FROM sandbox_snapshot_rows WHERE tenant_id = p_tenant AND snapshot_id = v_snapshot;
    DELETE FROM sandbox_snapshots WHERE tenant_id = p_tenant AND id = v_snapshot RETURNING name INTO v_name;
    IF NOT FOUND THEN
        PERFORM raise_outdated();
    END IF;
    PERFORM record_activity(p_tenant, p -> 'actor', 'sandbox.snapshot_deleted', v_snapshot, v_name);
END $$;
