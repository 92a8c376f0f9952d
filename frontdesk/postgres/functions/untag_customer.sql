-- Removes a tag from a customer and returns the customer's id.
CREATE OR REPLACE FUNCTION untag_customer(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    c customers := lock_customer(p_tenant, (p ->> 'id')::uuid, NULL);
    v_name text;
BEGIN
    DELETE FROM customer_tags WHERE tenant_id = p_tenant AND customer_id = c.id AND tag_id = (p ->> 'tag_id')::uuid;
    IF NOT FOUND THEN
        RETURN c.id;
    END IF;
    SELECT name INTO v_name FROM tags WHERE tenant_id = p_tenant AND id = (p ->> 'tag_id')::uuid;
    RETURN finish_customer_change(p_tenant, p -> 'actor', 'customer.untagged', c, jsonb_build_object('tag', v_name));
END $$;
