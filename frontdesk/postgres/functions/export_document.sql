-- The published form of an export of records. VOLATILE, so that it sees what the same statement has just written.
CREATE OR REPLACE FUNCTION export_document(p_tenant uuid, p_export uuid) RETURNS json LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    e record_exports;
BEGIN
    SELECT * INTO e FROM record_exports WHERE tenant_id = p_tenant AND id = p_export;
    RETURN CASE WHEN FOUND THEN json_build_object(
        'id', e.id, 'status', e.status, 'resources', e.resources, 'sequence', e.sequence, 'records', e.records,
        'url', e.url_origin || '/open-api/v1/exports/' || e.id || '/records', 'created_at', format_utc(e.created_at),
        'finished_at', format_utc(e.finished_at), 'expires_at', format_utc(e.expires_at)) END;
END $$;
