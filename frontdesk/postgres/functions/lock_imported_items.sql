-- Locks all items that an import changes, or has written, by id, as orders lock products. The first batch calls it:
-- batches are in the order of the file.
CREATE OR REPLACE FUNCTION lock_imported_items(p_tenant uuid,
    p_import uuid) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM FROM items
    WHERE tenant_id = p_tenant AND id IN (
        SELECT subject_id FROM import_outcomes
        WHERE tenant_id = p_tenant AND import_id = p_import AND outcome IN ('new', 'changed'))
    ORDER BY id FOR NO KEY UPDATE;
END $$;
