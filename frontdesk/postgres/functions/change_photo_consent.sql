-- Records a customer's consent to photos, or its withdrawal where `how` is null: then the photos are removed. Returns
-- the customer's id.
CREATE OR REPLACE FUNCTION change_photo_consent(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    c customers := lock_customer(p_tenant, (p ->> 'id')::uuid, NULL);
    v_how text := p ->> 'how';
    v_given boolean;
    v_removed integer;
BEGIN
    SELECT count(*) > 0 INTO v_given FROM photo_consents
    WHERE tenant_id = p_tenant AND customer_id = c.id AND withdrawn_at IS NULL;
    IF v_given = (v_how IS NOT NULL) THEN
        RETURN c.id;
    END IF;
    IF v_how IS NULL THEN
        UPDATE photo_consents SET withdrawn_at = now(), withdrawn_by = acting_user(p -> 'actor')
        WHERE tenant_id = p_tenant AND customer_id = c.id AND withdrawn_at IS NULL;
        v_removed := remove_customer_photos(p_tenant, c.id);
    ELSE
        INSERT INTO photo_consents (tenant_id, id, customer_id, how, recorded_by)
        VALUES (p_tenant, (p ->> 'consent_id')::uuid, c.id, v_how, acting_user(p -> 'actor'));
    END IF;
    PERFORM record_activity(p_tenant, p -> 'actor',
        CASE WHEN v_how IS NULL THEN 'customer.photo_consent_withdrawn' ELSE 'customer.photo_consent_given' END, c.id,
        concat_ws(' ', c.first_name, c.last_name), NULL,
        jsonb_build_object('how', v_how, 'photos_removed', nullif(v_removed, 0)));
    RETURN c.id;
END $$;
