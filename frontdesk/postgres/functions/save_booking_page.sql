-- Saves the settings of the public page, and returns the tenant. Version 0 is that of a business that has saved none.
CREATE OR REPLACE FUNCTION save_booking_page(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_before booking_page_settings;
    v_after booking_page_settings;
    v_name text;
    v_published json;
BEGIN
    IF (p ->> 'version')::integer = 0 THEN
        INSERT INTO booking_page_settings (tenant_id, version) VALUES (p_tenant, 0) ON CONFLICT DO NOTHING;
    END IF;
    SELECT * INTO v_before FROM booking_page_settings WHERE tenant_id = p_tenant FOR NO KEY UPDATE;
    IF v_before.version IS DISTINCT FROM (p ->> 'version')::integer THEN
        PERFORM raise_outdated();
    END IF;
    v_published := booking_page_document(p_tenant, p_tenant);
    UPDATE booking_page_settings SET shown = (p ->> 'shown')::boolean, about = p -> 'about',
        cover_id = (p ->> 'cover_id')::uuid, asks_for_code = (p ->> 'asks_for_code')::boolean,
        customers_move = (p ->> 'customers_move')::boolean, customers_cancel = (p ->> 'customers_cancel')::boolean,
        payment_instructions = p -> 'payment_instructions',
        embedding_origins = ARRAY(SELECT jsonb_array_elements_text(p -> 'embedding_origins')),
        version = version + 1, updated_at = monotonic_now(updated_at)
    WHERE tenant_id = p_tenant RETURNING * INTO v_after;
    PERFORM swap_picture(p_tenant, v_before.cover_id, v_after.cover_id);
    SELECT name INTO v_name FROM tenants WHERE id = p_tenant;
    PERFORM record_activity(p_tenant, p -> 'actor', 'booking_page.updated', p_tenant, v_name, to_jsonb(v_before),
        to_jsonb(v_after));
    PERFORM emit_change(p_tenant, 'booking_page.updated', v_published, booking_page_document(p_tenant, p_tenant));
    RETURN p_tenant;
END $$;
