-- The published form of the conformance report of a client. Null if it has sent none.
CREATE OR REPLACE FUNCTION conformance_report_document(p_tenant uuid, p_client uuid) RETURNS json
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    r conformance_reports;
BEGIN
    SELECT * INTO r FROM conformance_reports WHERE tenant_id = p_tenant AND client_id = p_client;
    RETURN CASE WHEN FOUND THEN json_build_object(
        'kit', r.kit, 'passed', r.passed, 'failed', r.failed, 'skipped', r.skipped, 'scenarios', r.scenarios,
        'created_at', format_utc(r.created_at)) END;
END $$;
