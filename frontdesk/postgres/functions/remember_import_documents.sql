-- Keeps the published forms of the records that some rows of an import change, or that its undo removes or restores,
-- for prepare_import_events. p is that of the step, p_document the function that returns a published form.
CREATE OR REPLACE FUNCTION remember_import_documents(p_tenant uuid, p jsonb, p_document text) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    EXECUTE format('
        UPDATE import_outcomes SET event = %I(tenant_id, subject_id)
        WHERE tenant_id = $1 AND import_id = $2 AND number BETWEEN $3 AND $4
            AND CASE WHEN undone IS NULL THEN outcome = ''changed'' ELSE undone IN (''removed'', ''restored'') END',
        p_document)
    USING p_tenant, (p ->> 'id')::uuid, (p ->> 'first')::integer, (p ->> 'last')::integer;
END $$;
