-- The last step of undoing an import, as finish_import is of a run. Tags and categories that the import created are
-- removed if nothing uses them.
CREATE OR REPLACE FUNCTION finish_import_undo(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_import uuid := (p ->> 'id')::uuid;
    v_removed integer;
    v_restored integer;
    v_kept integer;
    v_deleted json[];
    i imports;
BEGIN
    SELECT count(*) FILTER (WHERE undone = 'removed'), count(*) FILTER (WHERE undone = 'restored'),
        count(*) FILTER (WHERE undone IN ('used', 'changed')) INTO v_removed, v_restored, v_kept
    FROM import_outcomes WHERE tenant_id = p_tenant AND import_id = v_import;
    UPDATE imports SET status = 'undone', version = version + 1, lease = NULL, leased_until = NULL, has_events = true,
        kept_rows = v_kept
    WHERE tenant_id = p_tenant AND id = v_import AND lease = (p ->> 'lease')::uuid AND status = 'undoing'
    RETURNING * INTO i;
    IF NOT FOUND THEN
        PERFORM raise_outdated();
    END IF;
    DELETE FROM tags t
    WHERE t.tenant_id = p_tenant AND t.id IN (
        SELECT c.id FROM jsonb_to_recordset(coalesce(i.created -> 'tags', '[]')) AS c (id uuid))
        AND NOT EXISTS (SELECT FROM customer_tags u WHERE u.tenant_id = p_tenant AND u.tag_id = t.id);
    v_deleted := ARRAY(
        SELECT category_document(p_tenant, c.id)
        FROM jsonb_to_recordset(coalesce(i.created -> 'categories', '[]')) AS c (id uuid)
        WHERE EXISTS (SELECT FROM categories t WHERE t.tenant_id = p_tenant AND t.id = c.id)
            AND NOT EXISTS (SELECT FROM items u WHERE u.tenant_id = p_tenant AND u.category_id = c.id));
    DELETE FROM categories t
    WHERE t.tenant_id = p_tenant AND t.id IN (
        SELECT c.id FROM jsonb_to_recordset(coalesce(i.created -> 'categories', '[]')) AS c (id uuid))
        AND NOT EXISTS (SELECT FROM items u WHERE u.tenant_id = p_tenant AND u.category_id = t.id);
    IF p ->> 'counted' IS NOT NULL AND v_removed > 0 THEN
        PERFORM add_row_count(p_tenant, p ->> 'counted', -v_removed);
    END IF;
    PERFORM record_activity(p_tenant, p -> 'actor', 'import.undone', v_import, i.file_name, NULL, jsonb_build_object(
        'kind', i.kind, 'removed', v_removed, 'restored', v_restored, 'kept', v_kept));
    PERFORM emit_import_surroundings(p_tenant, i, v_deleted);
    RETURN v_import;
END $$;
