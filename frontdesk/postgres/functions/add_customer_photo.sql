-- Adds a photo of a customer who has agreed to it, and returns its id. The APIs do not have photos, so no event is
-- emitted.
CREATE OR REPLACE FUNCTION add_customer_photo(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    c customers := lock_customer(p_tenant, (p ->> 'id')::uuid, NULL);
    v_id uuid := (p ->> 'photo_id')::uuid;
    v_picture uuid := (p ->> 'picture_id')::uuid;
BEGIN
    PERFORM FROM photo_consents WHERE tenant_id = p_tenant AND customer_id = c.id AND withdrawn_at IS NULL;
    IF NOT FOUND THEN
        PERFORM raise_outdated();
    END IF;
    INSERT INTO customer_photos (tenant_id, id, customer_id, picture_id, shows, taken_on, note, author_id)
    VALUES (p_tenant, v_id, c.id, v_picture, p ->> 'shows', (p ->> 'taken_on')::date, p ->> 'note',
        acting_user(p -> 'actor'));
    PERFORM swap_picture(p_tenant, NULL, v_picture);
    PERFORM record_activity(p_tenant, p -> 'actor', 'customer.photo_added', c.id,
        concat_ws(' ', c.first_name, c.last_name), NULL,
        jsonb_build_object('shows', p -> 'shows', 'taken_on', p -> 'taken_on'));
    RETURN v_id;
END $$;
