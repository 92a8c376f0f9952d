-- Locks the providers of an order's bookings and those in p_bookings, by id. Until the transaction ends no other
-- transaction books or releases their time.
CREATE OR REPLACE FUNCTION lock_providers(p_tenant uuid, p_order uuid, p_bookings jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_ids uuid[];
BEGIN
    SELECT array_agg(b.staff_id) INTO v_ids FROM (
        SELECT staff_id FROM bookings WHERE tenant_id = p_tenant AND order_id = p_order
        UNION SELECT n.staff_id FROM jsonb_to_recordset(p_bookings) AS n (staff_id uuid)) b;
    IF v_ids IS NOT NULL THEN
        PERFORM FROM staff WHERE tenant_id = p_tenant AND id = ANY (v_ids) ORDER BY id FOR NO KEY UPDATE;
    END IF;
END $$;
