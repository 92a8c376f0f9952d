-- The records of a kind with which the owner of this client's data has stored these texts. The statement of a request
-- is planned without its values, and would read all that the business has stored; this one is planned with them each
-- time, so that it reads the index custom_data_by_metadata, whose keys have the kind and the owner too.
CREATE OR REPLACE FUNCTION records_with_metadata(p_tenant uuid, p_client uuid, p_kind text, p_metadata jsonb)
RETURNS SETOF uuid LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_key text := p_tenant::text || p_kind || custom_data_owner(p_tenant, p_client);
BEGIN
    RETURN QUERY EXECUTE '
        SELECT record_id FROM custom_data WHERE tenant_id = $1 AND
            ((''{"'' || tenant_id::text || kind || owner_id::text || ''": '' || metadata::text || ''}'')::jsonb) @> $2'
        USING p_tenant, jsonb_build_object(v_key, p_metadata);
END $$;
