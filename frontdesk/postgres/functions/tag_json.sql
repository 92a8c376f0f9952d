-- The published form of a tag.
CREATE OR REPLACE FUNCTION tag_json(t record) RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_customers bigint;
BEGIN
    SELECT count(*) INTO v_customers FROM customer_tags c WHERE c.tenant_id = t.tenant_id AND c.tag_id = t.id;
    RETURN json_build_object(
        'id', t.id, 'name', t.name, 'model', t.model, 'customers_count', v_customers,
        'created_at', format_utc(t.created_at), 'updated_at', format_utc(t.updated_at));
END $$;
