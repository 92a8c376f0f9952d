-- Updates a customer that has not changed since it was read, and returns its id.
CREATE OR REPLACE FUNCTION update_customer(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_id uuid := (p ->> 'id')::uuid;
BEGIN
    UPDATE customers SET first_name = p ->> 'first_name', last_name = p ->> 'last_name',
        name_search = p ->> 'name_search', email = p ->> 'email', phone = p ->> 'phone',
        phone_country = p ->> 'phone_country', type = p ->> 'type', city = p ->> 'city', address = p ->> 'address',
        note = p ->> 'note', tax_registration_number = p ->> 'tax_registration_number', updated_at = next_time(updated_at)
    WHERE tenant_id = p_tenant AND id = v_id AND updated_at = (p ->> 'updated_at')::timestamptz;
    IF NOT FOUND THEN
        PERFORM raise_outdated();
    END IF;
    PERFORM emit_events(p_tenant, ARRAY['customer.updated'],
                        ARRAY[json_build_object('customer', customer_document(p_tenant, v_id))]);
    RETURN v_id;
END $$;
