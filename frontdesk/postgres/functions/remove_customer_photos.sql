-- Removes all photos of a customer, and returns how many there were.
CREATE OR REPLACE FUNCTION remove_customer_photos(p_tenant uuid,
    p_customer uuid) RETURNS integer LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_pictures uuid[] := ARRAY(SELECT picture_id FROM customer_photos WHERE tenant_id = p_tenant
        AND customer_id = p_customer);
BEGIN
    DELETE FROM customer_photos WHERE tenant_id = p_tenant AND customer_id = p_customer;
    PERFORM delete_pictures(p_tenant, v_pictures);
    RETURN cardinality(v_pictures);
END $$;
