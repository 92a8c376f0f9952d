-- Changes what an application stores with a record that its act has written or only read. Of `metadata` the given keys
-- change; those with null are removed, all of them if it is null itself. Raises FD006 if another record of the kind has
-- the external id, FD007 above the number of keys. The record is locked, so that it is not deleted or erased meanwhile.
CREATE OR REPLACE FUNCTION save_custom_data(p_tenant uuid, p_record uuid, p jsonb, p_actor jsonb)
RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_kind text := p ->> 'kind';
    v_owner uuid := custom_data_owner(p_tenant, (p_actor ->> 'id')::uuid);
    v_name text := lock_record_with_data(p_tenant, v_kind, p_record);
    d custom_data;
    v_external text;
    v_metadata jsonb;
BEGIN
    SELECT * INTO d FROM custom_data
    WHERE tenant_id = p_tenant AND kind = v_kind AND record_id = p_record AND owner_id = v_owner;
    v_external := CASE WHEN p ? 'external_id' THEN p ->> 'external_id' ELSE d.external_id END;
    v_metadata := coalesce(d.metadata, '{}');
    IF p ? 'metadata' THEN
        v_metadata := CASE WHEN p -> 'metadata' = 'null' THEN '{}'
            ELSE jsonb_strip_nulls(v_metadata || (p -> 'metadata')) END;
    END IF;
    IF v_external IS NOT DISTINCT FROM d.external_id AND v_metadata = coalesce(d.metadata, '{}') THEN
        RETURN;
    END IF;
    IF (SELECT count(*) FROM jsonb_object_keys(v_metadata)) > (p ->> 'max_keys')::integer THEN
        RAISE EXCEPTION 'too many keys of metadata' USING ERRCODE = 'FD007';
    END IF;
    IF v_external IS NULL AND v_metadata = '{}' THEN
        DELETE FROM custom_data
        WHERE tenant_id = p_tenant AND kind = v_kind AND record_id = p_record AND owner_id = v_owner;
    ELSE
        BEGIN
            INSERT INTO custom_data (tenant_id, kind, record_id, owner_id, external_id, metadata)
            VALUES (p_tenant, v_kind, p_record, v_owner, v_external, v_metadata)
            ON CONFLICT (tenant_id, kind, record_id, owner_id) DO UPDATE
                SET external_id = excluded.external_id, metadata = excluded.metadata, updated_at = excluded.updated_at;
        EXCEPTION WHEN unique_violation THEN
            RAISE EXCEPTION 'the external id is in use' USING ERRCODE = 'FD006';
        END;
    END IF;
    IF NOT (p ->> 'is_new')::boolean THEN -- values may be personal: the activity has only the names of the keys
        PERFORM record_activity(p_tenant, p_actor, CASE v_kind WHEN 'order' THEN 'order.data_changed'
            WHEN 'customer' THEN 'customer.data_changed' WHEN 'item' THEN 'item.data_changed'
            ELSE 'staff_member.data_changed' END, p_record, v_name, NULL, jsonb_strip_nulls(jsonb_build_object(
            'external_id', CASE WHEN v_external IS DISTINCT FROM d.external_id THEN true END,
            'metadata', changed_keys(coalesce(d.metadata, '{}'), v_metadata))));
    END IF;
END $$;
