-- Deletes a tag, removes it from its customers and returns its id.
CREATE OR REPLACE FUNCTION delete_tag(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_tag uuid := (p ->> 'id')::uuid;
    v_name text;
    v_locked uuid[];
    v_customers uuid[];
    v_data json[];
BEGIN
    v_locked := ARRAY(SELECT customer_id FROM customer_tags WHERE tenant_id = p_tenant AND tag_id = v_tag);
    PERFORM FROM customers WHERE tenant_id = p_tenant AND id = ANY (v_locked) ORDER BY id FOR NO KEY UPDATE;
    -- no customer gets it any more
    SELECT name INTO v_name FROM tags WHERE tenant_id = p_tenant AND id = v_tag FOR UPDATE;
    IF NOT FOUND THEN
        PERFORM raise_outdated();
    END IF;
    WITH removed AS (
        DELETE FROM customer_tags WHERE tenant_id = p_tenant AND tag_id = v_tag RETURNING customer_id
    ) SELECT array_agg(customer_id ORDER BY customer_id) INTO v_customers FROM removed;
    IF NOT v_customers <@ v_locked THEN
        PERFORM raise_outdated();
    END IF;
    DELETE FROM tags WHERE tenant_id = p_tenant AND id = v_tag;
    PERFORM record_activity(p_tenant, p -> 'actor', 'tag.deleted', v_tag, v_name);
    IF v_customers IS NOT NULL THEN
        UPDATE customers SET updated_at = monotonic_now(updated_at)
        WHERE tenant_id = p_tenant AND id = ANY (v_customers);
        SELECT array_agg(json_build_object('customer', customer_json(c), 'changed', '["tags"]'::json) ORDER BY c.id)
        INTO v_data FROM customers c WHERE c.tenant_id = p_tenant AND c.id = ANY (v_customers);
        PERFORM emit_events(p_tenant, array_fill('customer.updated'::text, ARRAY[cardinality(v_data)]), v_data);
    END IF;
    RETURN v_tag;
END $$;
