-- The published form of a customer with everything, as in GET /customers/{uuid} and in an order.
CREATE OR REPLACE FUNCTION customer_json(c record) RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_tags json;
BEGIN
    SELECT json_agg(json_build_object('id', t.id, 'name', t.name) ORDER BY t.name_folded, t.id) INTO v_tags
    FROM (SELECT tag_id FROM customer_tags WHERE tenant_id = c.tenant_id AND customer_id = c.id OFFSET 0) ct
    JOIN tags t ON t.tenant_id = c.tenant_id AND t.id = ct.tag_id; -- by the customer first, however few tags there are
    RETURN json_build_object(
        'id', c.id, 'first_name', c.first_name, 'last_name', c.last_name, 'email', c.email, 'phone', c.phone,
        'type', c.type, 'city', c.city, 'address', c.address, 'note', c.note, 'blocked', c.blocked,
        'tax_registration_number', c.tax_registration_number, 'tags', coalesce(v_tags, '[]'),
        'created_at', format_utc(c.created_at), 'updated_at', format_utc(c.updated_at));
END $$;
