-- Takes the clock of a sandbox back to the real time, and all faults with it. Webhooks that paused until a time that is
-- ahead now pause no longer, and the next events, whose sequence goes on, get the real time.
CREATE OR REPLACE FUNCTION settle_sandbox(p_tenant uuid) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    UPDATE tenants SET clock_ahead = NULL, has_faults = false, logo_id = NULL, version = version + 1
    WHERE id = p_tenant AND is_sandbox;
    DELETE FROM sandbox_faults WHERE tenant_id = p_tenant;
    DELETE FROM idempotency_records WHERE tenant_id = p_tenant;
    UPDATE tenant_counters SET assigned_at = NULL WHERE tenant_id = p_tenant AND name = 'events';
    UPDATE webhooks SET failing_since = NULL, paused_until = NULL
    WHERE tenant_id = p_tenant AND (failing_since IS NOT NULL OR paused_until IS NOT NULL);
END $$;
