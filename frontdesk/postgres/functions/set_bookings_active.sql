-- Lets the bookings of an order hold their time, or frees it.
CREATE OR REPLACE FUNCTION set_bookings_active(p_tenant uuid, p_order uuid, p_active boolean) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    k bookings;
BEGIN
    FOR k IN UPDATE bookings SET is_active = p_active
        WHERE tenant_id = p_tenant AND order_id = p_order AND is_active <> p_active RETURNING *
    LOOP
        IF p_active THEN
            PERFORM set_busy(p_tenant, k.staff_id, CASE WHEN k.is_extra THEN k.during ELSE k.busy END, true);
        ELSE
            PERFORM release_minutes(p_tenant, k.staff_id, CASE WHEN k.is_extra THEN k.during ELSE k.busy END);
        END IF;
    END LOOP;
END $$;
