-- Locks the providers of an order's bookings and those in p_bookings, by id. Until the transaction ends no other
-- transaction books or releases their time, or changes their schedule. A provider who has left, or has another schedule
-- than the one that a booking was checked against, gets no booking. A new order has no p_order yet.
CREATE OR REPLACE FUNCTION lock_providers(p_tenant uuid, p_order uuid, p_bookings jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_new uuid[] := ARRAY(SELECT (b.value ->> 'staff_id')::uuid FROM jsonb_array_elements(p_bookings) b);
    v_ids uuid[] := v_new;
    s record;
BEGIN
    IF p_order IS NOT NULL THEN
        v_ids := v_ids || ARRAY(SELECT staff_id FROM bookings WHERE tenant_id = p_tenant AND order_id = p_order);
    END IF;
    IF v_ids <> '{}' THEN
        FOR s IN SELECT id, active, schedule_version FROM staff WHERE tenant_id = p_tenant AND id = ANY (v_ids)
            ORDER BY id FOR NO KEY UPDATE
        LOOP
            IF s.id = ANY (v_new) AND (NOT s.active OR NOT p_bookings @> jsonb_build_array(
                    jsonb_build_object('staff_id', s.id, 'schedule_version', s.schedule_version))) THEN
                PERFORM raise_outdated();
            END IF;
        END LOOP;
    END IF;
END $$;
