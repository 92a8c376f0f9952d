-- Sets whether commissions count services when they are done or when they are booked, and returns the id of the
-- business.
CREATE OR REPLACE FUNCTION set_commission_basis(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_before text;
    v_published json;
BEGIN
    SELECT commission_basis INTO v_before FROM tenants WHERE id = p_tenant FOR NO KEY UPDATE;
    v_published := settings_document(p_tenant);
    UPDATE tenants SET commission_basis = p ->> 'basis', version = version + 1, updated_at = monotonic_now(updated_at)
    WHERE id = p_tenant;
    PERFORM record_activity(p_tenant, p -> 'actor', 'commission_basis.updated', p_tenant, NULL,
        jsonb_build_object('commission_basis', v_before), jsonb_build_object('commission_basis', p -> 'basis'));
    PERFORM emit_change(p_tenant, 'settings.updated', v_published, settings_document(p_tenant));
    RETURN p_tenant;
END $$;
