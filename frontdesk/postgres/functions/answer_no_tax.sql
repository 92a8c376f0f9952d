-- The owner says that the business charges no tax. Returns the tenant.
CREATE OR REPLACE FUNCTION answer_no_tax(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_name text;
    v_published json;
BEGIN
    PERFORM FROM tenants WHERE id = p_tenant FOR NO KEY UPDATE;
    v_published := settings_document(p_tenant);
    UPDATE tenants SET charges_no_tax = true, version = version + 1, updated_at = monotonic_now(updated_at)
    WHERE id = p_tenant AND NOT charges_no_tax RETURNING name INTO v_name;
    IF FOUND THEN
        PERFORM record_activity(p_tenant, p -> 'actor', 'business.updated', p_tenant, v_name,
            '{"charges_no_tax": false}', '{"charges_no_tax": true}');
        PERFORM emit_change(p_tenant, 'settings.updated', v_published, settings_document(p_tenant));
    END IF;
    RETURN p_tenant;
END $$;
