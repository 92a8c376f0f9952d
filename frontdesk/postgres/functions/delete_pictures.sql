-- Deletes pictures that no record shows any more, and has their objects in the bucket checked.
CREATE OR REPLACE FUNCTION delete_pictures(p_tenant uuid, p_ids uuid[]) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    INSERT INTO objects_to_check (tenant_id, object_id)
    SELECT DISTINCT tenant_id, object_id FROM pictures
    WHERE tenant_id = p_tenant AND id = ANY (p_ids) AND object_id IS NOT NULL
    ON CONFLICT (tenant_id, object_id) DO UPDATE SET due_at = excluded.due_at;
    DELETE FROM pictures WHERE tenant_id = p_tenant AND id = ANY (p_ids);
END $$;
