-- Gives a customer a tag, which is created if it does not exist. Returns the customer's id.
CREATE OR REPLACE FUNCTION tag_customer(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    c customers := lock_customer(p_tenant, (p ->> 'id')::uuid, NULL);
    v_tag uuid;
BEGIN
    INSERT INTO tags (tenant_id, id, model, name, name_folded)
    VALUES (p_tenant, (p ->> 'tag_id')::uuid, 'customers', p ->> 'name', p ->> 'name_folded')
    ON CONFLICT (tenant_id, model, name_folded) DO NOTHING;
    SELECT id INTO v_tag FROM tags
    WHERE tenant_id = p_tenant AND model = 'customers' AND name_folded = p ->> 'name_folded' FOR KEY SHARE;
    IF NOT FOUND THEN -- deleted meanwhile
        PERFORM raise_outdated();
    END IF;
    INSERT INTO customer_tags (tenant_id, customer_id, tag_id) VALUES (p_tenant, c.id, v_tag) ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
        RETURN c.id;
    END IF;
    RETURN finish_customer_change(p_tenant, p -> 'actor', 'customer.tagged', c, '{}',
        jsonb_build_object('tag', p ->> 'name'));
END $$;
