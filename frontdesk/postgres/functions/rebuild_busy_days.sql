-- Computes the busy minutes of a tenant from its bookings, for code that inserts many of them at once.
CREATE OR REPLACE FUNCTION rebuild_busy_days(p_tenant uuid) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    DELETE FROM staff_busy_days WHERE tenant_id = p_tenant;
    PERFORM set_busy(tenant_id, staff_id, CASE WHEN is_extra THEN during ELSE busy END, true) FROM bookings
    WHERE tenant_id = p_tenant AND is_active;
END $$;
