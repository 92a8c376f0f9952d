-- Replaces the reasons from which people choose when they cancel a booking, and returns the tenant's id.
CREATE OR REPLACE FUNCTION save_cancel_reasons(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_name text;
    v_published json;
BEGIN
    SELECT name INTO v_name FROM tenants WHERE id = p_tenant FOR NO KEY UPDATE;
    v_published := settings_document(p_tenant);
    UPDATE tenants SET cancel_reasons = nullif(p -> 'reasons', 'null'), version = version + 1,
        updated_at = monotonic_now(updated_at)
    WHERE id = p_tenant;
    PERFORM record_activity(p_tenant, p -> 'actor', 'business.cancel_reasons_changed', p_tenant, v_name);
    PERFORM emit_change(p_tenant, 'settings.updated', v_published, settings_document(p_tenant));
    RETURN p_tenant;
END $$;
