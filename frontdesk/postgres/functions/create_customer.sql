-- Creates a customer and returns its id.
CREATE OR REPLACE FUNCTION create_customer(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_id uuid := (p ->> 'id')::uuid;
BEGIN
    INSERT INTO customers (tenant_id, id, first_name, last_name, name_search, email, phone, phone_country, type, city,
        address, note, tax_registration_number)
    VALUES (p_tenant, v_id, p ->> 'first_name', p ->> 'last_name', p ->> 'name_search', p ->> 'email', p ->> 'phone',
        p ->> 'phone_country', p ->> 'type', p ->> 'city', p ->> 'address', p ->> 'note',
        p ->> 'tax_registration_number');
    PERFORM add_row_count(p_tenant, 'customers', 1);
    PERFORM emit_events(p_tenant, ARRAY['customer.created'],
                        ARRAY[json_build_object('customer', customer_document(p_tenant, v_id))]);
    RETURN v_id;
END $$;
