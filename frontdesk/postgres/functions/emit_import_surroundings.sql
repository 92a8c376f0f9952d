-- Emits what a run of an import, or its undo, has changed beside the records of its rows: categories, of which
-- p_deleted has the published forms of those that are gone, and the weekly hours of staff.
CREATE OR REPLACE FUNCTION emit_import_surroundings(p_tenant uuid, i imports, p_deleted json[]) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_hours json[];
    v_created json[];
BEGIN
    IF i.status = 'done' THEN
        v_created := ARRAY(
            SELECT category_document(p_tenant, c.id)
            FROM jsonb_to_recordset(coalesce(i.created -> 'categories', '[]')) AS c (id uuid));
        PERFORM emit_changes(p_tenant, 'category.created', array_fill(NULL::json, ARRAY[cardinality(v_created)]),
            v_created);
    END IF;
    PERFORM emit_changes(p_tenant, 'category.deleted', p_deleted,
        array_fill(NULL::json, ARRAY[cardinality(p_deleted)]));
    IF i.kind = 'staff' THEN
        v_hours := ARRAY(
            SELECT working_hours_json(p_tenant, NULL, o.subject_id) FROM import_outcomes o
            WHERE o.tenant_id = p_tenant AND o.import_id = i.id AND o.after ? 'hours'
                AND o.after -> 'hours' IS DISTINCT FROM o.before -> 'hours'
                AND CASE WHEN i.status = 'done' THEN o.outcome IN ('new', 'changed') ELSE o.undone = 'restored' END
            ORDER BY o.number);
        PERFORM emit_events(p_tenant, array_fill('working_hours.updated'::text, ARRAY[cardinality(v_hours)]), v_hours);
    END IF;
END $$;
