-- Sets a fault of a sandbox. Those that have befallen as often as they were to make room for it.
CREATE OR REPLACE FUNCTION add_sandbox_fault(p_tenant uuid, p jsonb) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    UPDATE tenants SET has_faults = true WHERE id = p_tenant AND is_sandbox;
    IF NOT FOUND THEN
        PERFORM raise_outdated();
    END IF;
    DELETE FROM sandbox_faults WHERE tenant_id = p_tenant AND remaining = 0;
    INSERT INTO sandbox_faults (tenant_id, id, kind, status, code, route, seconds, times, remaining)
    VALUES (p_tenant, (p ->> 'id')::uuid, p ->> 'kind', (p ->> 'status')::smallint, p ->> 'code', p ->> 'route',
        (p ->> 'seconds')::integer, (p ->> 'times')::integer, (p ->> 'times')::integer);
    PERFORM record_activity(p_tenant, p -> 'actor', 'sandbox.fault_set', (p ->> 'id')::uuid, p ->> 'kind');
END $$;
