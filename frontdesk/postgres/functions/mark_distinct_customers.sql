-- Records that two customers who look like one person are two. Returns the first one's id.
CREATE OR REPLACE FUNCTION mark_distinct_customers(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_one uuid := (p ->> 'id')::uuid;
    v_other uuid := (p ->> 'other_id')::uuid;
    c customers;
BEGIN
    PERFORM FROM customers WHERE tenant_id = p_tenant AND id IN (v_one, v_other) ORDER BY id FOR KEY SHARE;
    INSERT INTO distinct_customers (tenant_id, customer_id, other_id)
    VALUES (p_tenant, least(v_one, v_other), greatest(v_one, v_other)) ON CONFLICT DO NOTHING;
    SELECT * INTO c FROM customers WHERE tenant_id = p_tenant AND id = v_one;
    PERFORM record_activity(p_tenant, p -> 'actor', 'customer.separated', c.id,
        concat_ws(' ', c.first_name, c.last_name), '{}', jsonb_build_object('other_id', v_other));
    RETURN v_one;
END $$;
