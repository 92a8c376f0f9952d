-- Moves the clock of a sandbox ahead. What workers are sending at this moment stays theirs: their leases move too.
CREATE OR REPLACE FUNCTION move_clock(p_tenant uuid, p jsonb) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_step interval := make_interval(secs => (p ->> 'step')::float8);
BEGIN
    UPDATE tenants SET clock_ahead = nullif((p ->> 'ahead')::bigint, 0)
    WHERE id = p_tenant AND is_sandbox AND clock_ahead IS NOT DISTINCT FROM (p ->> 'before')::bigint;
    IF NOT FOUND THEN
        PERFORM raise_outdated();
    END IF;
    UPDATE webhook_deliveries SET leased_until = v_step + leased_until
    WHERE tenant_id = p_tenant AND leased_until > now();
    UPDATE messages SET leased_until = v_step + leased_until WHERE tenant_id = p_tenant AND leased_until > now();
    UPDATE notifications SET leased_until = v_step + leased_until WHERE tenant_id = p_tenant AND leased_until > now();
    UPDATE report_mails SET leased_until = v_step + leased_until WHERE tenant_id = p_tenant AND leased_until > now();
    PERFORM record_activity(p_tenant, p -> 'actor', 'sandbox.clock_moved', p_tenant, NULL);
    PERFORM notify_delivery_workers();
END $$;
