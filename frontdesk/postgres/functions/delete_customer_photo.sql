-- Deletes a photo of a customer, and returns the customer's id.
CREATE OR REPLACE FUNCTION delete_customer_photo(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    c customers := lock_customer(p_tenant, (p ->> 'id')::uuid, NULL);
    v_photo customer_photos;
BEGIN
    DELETE FROM customer_photos WHERE tenant_id = p_tenant AND customer_id = c.id AND id = (p ->> 'photo_id')::uuid
    RETURNING * INTO v_photo;
    IF NOT FOUND THEN
        PERFORM raise_outdated();
    END IF;
    PERFORM delete_pictures(p_tenant, ARRAY[v_photo.picture_id]);
    PERFORM record_activity(p_tenant, p -> 'actor', 'customer.photo_deleted', c.id,
        concat_ws(' ', c.first_name, c.last_name),
        jsonb_build_object('shows', v_photo.shows, 'taken_on', v_photo.taken_on), NULL);
    RETURN c.id;
END $$;
