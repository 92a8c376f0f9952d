-- The bookings of an order that is not done after all: they hold their time again, if nobody has booked it since.
CREATE OR REPLACE FUNCTION resume_bookings(p_tenant uuid, p_order uuid) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    k bookings;
BEGIN
    FOR k IN SELECT * FROM bookings b WHERE b.tenant_id = p_tenant AND b.order_id = p_order AND b.is_active
        AND b.ended_at IS NOT NULL AND NOT EXISTS (
            SELECT FROM bookings c WHERE c.tenant_id = p_tenant AND c.staff_id = b.staff_id AND c.id <> b.id
                AND c.is_active AND c.busy && range_merge(b.busy, b.during)) LOOP
        UPDATE bookings SET busy = range_merge(k.busy, k.during), ended_at = NULL
        WHERE tenant_id = p_tenant AND id = k.id;
        PERFORM set_busy(p_tenant, k.staff_id, range_merge(k.busy, k.during), true);
    END LOOP;
END $$;
