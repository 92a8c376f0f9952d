-- Removes all faults of a sandbox.
CREATE OR REPLACE FUNCTION clear_sandbox_faults(p_tenant uuid, p jsonb) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    UPDATE tenants SET has_faults = false WHERE id = p_tenant AND is_sandbox;
    DELETE FROM sandbox_faults WHERE tenant_id = p_tenant;
    IF FOUND THEN
        PERFORM record_activity(p_tenant, p -> 'actor', 'sandbox.faults_cleared', p_tenant, NULL);
    END IF;
END $$;
