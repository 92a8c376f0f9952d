-- Writes the fields of a customer that people and applications enter. The caller has locked the row. Programs of the
-- version before do not name all of them.
CREATE OR REPLACE FUNCTION set_customer_fields(p_tenant uuid, p_customer uuid, p jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    UPDATE customers SET first_name = p ->> 'first_name', last_name = p ->> 'last_name',
        name_search = p ->> 'name_search', email = p ->> 'email', phone = p ->> 'phone',
        phone_country = p ->> 'phone_country', type = p ->> 'type', city = p ->> 'city', address = p ->> 'address',
        note = p ->> 'note', tax_registration_number = p ->> 'tax_registration_number',
        birthday = CASE WHEN p ? 'birthday' THEN p ->> 'birthday' ELSE birthday END,
        allergies = CASE WHEN p ? 'allergies' THEN p ->> 'allergies' ELSE allergies END,
        favorite_staff_id = CASE WHEN p ? 'favorite_staff_id' THEN (p ->> 'favorite_staff_id')::uuid
            ELSE favorite_staff_id END
    WHERE tenant_id = p_tenant AND id = p_customer;
END $$;
