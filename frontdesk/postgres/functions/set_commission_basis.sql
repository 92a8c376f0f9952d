-- Sets whether commissions count services when they are done or when they are booked, and returns the id of the
-- business.
CREATE OR REPLACE FUNCTION set_commission_basis(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_before text;
BEGIN
    SELECT commission_basis INTO v_before FROM tenants WHERE id = p_tenant FOR NO KEY UPDATE;
    UPDATE tenants SET commission_basis = p ->> 'basis', updated_at = monotonic_now(updated_at) WHERE id = p_tenant;
    PERFORM record_activity(p_tenant, p -> 'actor', 'commission_basis.updated', p_tenant, NULL,
        jsonb_build_object('commission_basis', v_before), jsonb_build_object('commission_basis', p -> 'basis'));
    RETURN p_tenant;
END $$;
