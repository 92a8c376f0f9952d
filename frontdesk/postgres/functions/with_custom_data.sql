-- A published form with what the application of an API client has stored with the record. VOLATILE, so that it sees
-- what the same statement has just written.
CREATE OR REPLACE FUNCTION with_custom_data(
    p_tenant uuid, p_client uuid, p_kind text, p_record uuid, p_document text
) RETURNS text LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_external text;
    v_metadata text;
BEGIN
    IF p_document IS NULL THEN
        RETURN NULL;
    END IF;
    PERFORM FROM custom_data WHERE tenant_id = p_tenant AND kind = p_kind AND record_id = p_record;
    IF FOUND THEN
        SELECT to_json(external_id), metadata INTO v_external, v_metadata FROM custom_data
        WHERE tenant_id = p_tenant AND kind = p_kind AND record_id = p_record
            AND owner_id = custom_data_owner(p_tenant, p_client);
    END IF;
    RETURN left(p_document, -1) || ', "external_id": ' || coalesce(v_external, 'null') || ', "metadata": '
        || coalesce(v_metadata, '{}') || '}';
END $$;
