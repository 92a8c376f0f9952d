-- Clears busy minutes of a staff member that no active booking has any more. Bookings share minutes if one of them was
-- made on purpose over the other.
CREATE OR REPLACE FUNCTION release_minutes(p_tenant uuid, p_staff uuid, p_during tstzrange) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM set_busy(p_tenant, p_staff, p_during, false);
    PERFORM set_busy(p_tenant, p_staff, CASE WHEN k.is_extra THEN k.during ELSE k.busy END, true) FROM bookings k
    WHERE k.tenant_id = p_tenant AND k.staff_id = p_staff AND k.is_active
        AND lower(k.during) > lower(p_during) - interval '2 days'
        AND lower(k.during) < upper(p_during) + interval '1 day' -- a buffer before it
        AND (CASE WHEN k.is_extra THEN k.during ELSE k.busy END) && p_during;
END $$;
