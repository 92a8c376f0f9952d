-- Replaces the reasons from which people choose when they cancel a booking, and returns the tenant's id.
CREATE OR REPLACE FUNCTION save_cancel_reasons(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_name text;
BEGIN
    SELECT name INTO v_name FROM tenants WHERE id = p_tenant FOR NO KEY UPDATE;
    UPDATE tenants SET cancel_reasons = nullif(p -> 'reasons', 'null') WHERE id = p_tenant;
    PERFORM record_activity(p_tenant, p -> 'actor', 'business.cancel_reasons_changed', p_tenant, v_name);
    RETURN p_tenant;
END $$;
