-- Goes back to a snapshot. The clock goes on, because it never goes back.
CREATE OR REPLACE FUNCTION restore_sandbox_snapshot(p_tenant uuid, p jsonb) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_snapshot uuid := (p ->> 'id')::uuid;
    v_name text;
BEGIN
    SELECT name INTO v_name FROM sandbox_snapshots WHERE tenant_id = p_tenant AND id = v_snapshot FOR KEY SHARE;
    IF NOT FOUND THEN
        PERFORM raise_outdated();
    END IF;
    PERFORM empty_sandbox(p_tenant);
    PERFORM fill_sandbox(p_tenant, v_snapshot);
    PERFORM record_activity(p_tenant, p -> 'actor', 'sandbox.snapshot_restored', v_snapshot, v_name);
END $$;
