-- Writes the fields of a customer that people and applications enter. The caller has locked the row.
CREATE OR REPLACE FUNCTION set_customer_fields(p_tenant uuid, p_customer uuid, p jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    UPDATE customers SET first_name = p ->> 'first_name', last_name = p ->> 'last_name',
        name_search = p ->> 'name_search', email = p ->> 'email', phone = p ->> 'phone',
        phone_country = p ->> 'phone_country', type = p ->> 'type', city = p ->> 'city', address = p ->> 'address',
        note = p ->> 'note', tax_registration_number = p ->> 'tax_registration_number'
    WHERE tenant_id = p_tenant AND id = p_customer;
END $$;
