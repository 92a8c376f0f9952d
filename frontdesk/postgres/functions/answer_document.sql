-- The response of an act: the published form of a record, for an application with its own data.
CREATE OR REPLACE FUNCTION answer_document(p_tenant uuid, p_document text, p_id uuid, p_actor jsonb)
RETURNS text LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_document text;
    v_kind text := CASE p_document
        WHEN 'customer_document' THEN 'customer'
        WHEN 'order_document' THEN 'order'
        WHEN 'created_order_document' THEN 'order'
        WHEN 'item_document' THEN 'item'
        WHEN 'staff_document' THEN 'staff'
        END;
BEGIN
    EXECUTE format('SELECT %I($1, $2)', p_document) INTO v_document USING p_tenant, p_id;
    IF v_kind IS NULL OR p_actor ->> 'type' IS DISTINCT FROM 'app' THEN
        RETURN v_document;
    END IF;
    RETURN with_custom_data(p_tenant, (p_actor ->> 'id')::uuid, v_kind, p_id, v_document);
END $$;
