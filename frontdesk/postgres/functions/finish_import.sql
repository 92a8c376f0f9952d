-- The last step of a run, in its transaction: the row count, the activity, and the events about what is not a row of
-- its own. Those of the rows follow (emit_import_events). p has the import's id, its lease, the time of the run,
-- the actor, and the table whose rows are counted, if there is one.
CREATE OR REPLACE FUNCTION finish_import(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_import uuid := (p ->> 'id')::uuid;
    v_now timestamptz := clock_timestamp();
    i imports;
BEGIN
    UPDATE imports SET status = 'done', version = version + 1, finished_at = v_now, lease = NULL,
        leased_until = NULL, has_events = true, written_at = (p ->> 'at')::timestamptz,
            progress = new_rows + changed_rows
    WHERE tenant_id = p_tenant AND id = v_import AND lease = (p ->> 'lease')::uuid AND status = 'running'
    RETURNING * INTO i;
    IF NOT FOUND THEN -- stopped, or taken over by another process
        PERFORM raise_outdated();
    END IF;
    IF p ->> 'counted' IS NOT NULL AND i.new_rows > 0 THEN
        PERFORM add_row_count(p_tenant, p ->> 'counted', i.new_rows);
    END IF;
    PERFORM record_activity(p_tenant, p -> 'actor', 'import.finished', v_import, i.file_name, NULL, jsonb_build_object(
        'kind', i.kind, 'new', i.new_rows, 'changed', i.changed_rows, 'same', i.same_rows, 'refused', i.refused_rows));
    PERFORM emit_import_surroundings(p_tenant, i, '{}');
    RETURN v_import;
END $$;
