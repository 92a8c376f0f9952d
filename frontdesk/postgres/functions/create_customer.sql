-- Creates a customer and returns its id.
CREATE OR REPLACE FUNCTION create_customer(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    c customers;
BEGIN
    INSERT INTO customers (tenant_id, id, first_name, last_name, name_search, email, phone, phone_country, type, city,
        address, note, tax_registration_number, language, birthday, allergies, favorite_staff_id)
    VALUES (p_tenant, (p ->> 'id')::uuid, p ->> 'first_name', p ->> 'last_name', p ->> 'name_search', p ->> 'email',
        p ->> 'phone', p ->> 'phone_country', p ->> 'type', p ->> 'city', p ->> 'address', p ->> 'note',
        p ->> 'tax_registration_number', p ->> 'language', p ->> 'birthday', p ->> 'allergies',
        (p ->> 'favorite_staff_id')::uuid)
    RETURNING * INTO c;
    PERFORM add_row_count(p_tenant, 'customers', 1);
    PERFORM record_activity(p_tenant, p -> 'actor', 'customer.created', c.id,
        concat_ws(' ', c.first_name, c.last_name), NULL, to_jsonb(c) - 'search_text');
    PERFORM emit_events(p_tenant, ARRAY['customer.created'],
                        ARRAY[json_build_object('customer', customer_document(p_tenant, c.id))]);
    RETURN c.id;
END $$;
