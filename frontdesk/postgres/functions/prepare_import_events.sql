-- Stores the events of the rows that a step of an import has written, for emit_import_events; none for a row that has
-- changed nothing that is published. p_types are those of a new, a changed and a deleted record; for the rest see
-- remember_import_documents, which has run before the records were written.
CREATE OR REPLACE FUNCTION prepare_import_events(p_tenant uuid, p jsonb, p_types text[], p_document text) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    EXECUTE format('
        UPDATE import_outcomes o SET (event_type, event, event_id) = (
            SELECT k.type, d.data, CASE WHEN d.data IS NOT NULL THEN uuid_v7(clock_timestamp()) END
            FROM (SELECT CASE WHEN o.undone = ''removed'' THEN $5[3] WHEN o.undone IS NULL AND o.outcome = ''new''
                THEN $5[1] ELSE $5[2] END AS type) k,
                change_data(k.type, o.event, CASE WHEN o.undone IS DISTINCT FROM ''removed''
                    THEN %I(o.tenant_id, o.subject_id) END) AS d (data))
        WHERE o.tenant_id = $1 AND o.import_id = $2 AND o.number BETWEEN $3 AND $4 AND CASE WHEN o.undone IS NULL
            THEN o.outcome IN (''new'', ''changed'') ELSE o.undone IN (''removed'', ''restored'') END',
        p_document)
    USING p_tenant, (p ->> 'id')::uuid, (p ->> 'first')::integer, (p ->> 'last')::integer, p_types;
END $$;
