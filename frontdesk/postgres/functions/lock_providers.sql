-- Locks the providers of an order's bookings and those in p_bookings, by id. Until the transaction ends no other
-- transaction books or releases their time. One who has left meanwhile gets no booking.
CREATE OR REPLACE FUNCTION lock_providers(p_tenant uuid, p_order uuid, p_bookings jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_ids uuid[];
    v_new uuid[];
    v_left uuid[];
BEGIN
    SELECT array_agg(n.staff_id) INTO v_new FROM jsonb_to_recordset(p_bookings) AS n (staff_id uuid);
    SELECT array_agg(b.staff_id) INTO v_ids FROM (
        SELECT staff_id FROM bookings WHERE tenant_id = p_tenant AND order_id = p_order
        UNION SELECT unnest(v_new)) b;
    IF v_ids IS NOT NULL THEN
        SELECT array_agg(s.id) FILTER (WHERE NOT s.active) INTO v_left FROM (
            SELECT id, active FROM staff WHERE tenant_id = p_tenant AND id = ANY (v_ids) ORDER BY id FOR NO KEY UPDATE) s;
        IF v_left && v_new THEN
            PERFORM raise_outdated();
        END IF;
    END IF;
END $$;
