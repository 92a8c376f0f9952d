-- Records that a record was deleted, or what is personal of it erased. What applications have stored with it goes too.
CREATE OR REPLACE FUNCTION record_deletion(
    p_tenant uuid, p_resource text, p_id uuid, p_at timestamptz, p_merged_into uuid DEFAULT NULL
) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    INSERT INTO deleted_records (tenant_id, resource, id, deleted_at, merged_into)
    VALUES (p_tenant, p_resource, p_id, p_at, p_merged_into)
    ON CONFLICT (tenant_id, resource, id) DO UPDATE
        SET deleted_at = excluded.deleted_at, merged_into = excluded.merged_into;
    IF p_resource = 'customer' THEN
        DELETE FROM customer_reads WHERE tenant_id = p_tenant AND customer_id = p_id;
    END IF;
    DELETE FROM custom_data WHERE tenant_id = p_tenant AND kind = p_resource AND record_id = p_id;
END $$;
