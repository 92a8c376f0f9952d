-- Stores the conformance report of a client of a sandbox in place of the one before.
CREATE OR REPLACE FUNCTION store_conformance_report(p_tenant uuid, p jsonb) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_client uuid := (p ->> 'client_id')::uuid;
BEGIN
    PERFORM FROM tenants WHERE id = p_tenant AND is_sandbox FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        PERFORM raise_outdated();
    END IF;
    INSERT INTO conformance_reports AS r (tenant_id, client_id, kit, passed, failed, skipped, scenarios, created_at)
    VALUES (p_tenant, v_client, p ->> 'kit', (p ->> 'passed')::integer, (p ->> 'failed')::integer,
        (p ->> 'skipped')::integer, p -> 'scenarios', pg_catalog.now())
    ON CONFLICT (tenant_id, client_id) DO UPDATE
    SET kit = excluded.kit, passed = excluded.passed, failed = excluded.failed, skipped = excluded.skipped,
        scenarios = excluded.scenarios, created_at = excluded.created_at;
    PERFORM record_activity(p_tenant, p -> 'actor', 'sandbox.conformance_reported', v_client, p ->> 'kit');
END $$;
