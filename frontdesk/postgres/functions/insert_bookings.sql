-- Inserts bookings of an order. Their reference is the order's number, and which of its bookings each is, from p_first
-- on. Their minutes are set busy apart from this (set_bookings_busy), because that needs no number.
CREATE OR REPLACE FUNCTION insert_bookings(
    p_tenant uuid, p_order uuid, p_number bigint, p_bookings jsonb, p_first integer DEFAULT 1
) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_reference text := 'BK-' || lpad(p_number::text, greatest(6, length(p_number::text)), '0');
    b jsonb;
BEGIN
    FOR i IN 0..jsonb_array_length(p_bookings) - 1 LOOP
        b := p_bookings -> i;
        INSERT INTO bookings (tenant_id, id, order_id, line_id, staff_id, item_id, reference, during, busy, is_extra)
        VALUES (p_tenant, (b ->> 'id')::uuid, p_order, (b ->> 'line_id')::uuid, (b ->> 'staff_id')::uuid,
            (b ->> 'item_id')::uuid, v_reference || CASE WHEN p_first + i > 1 THEN '-' || p_first + i ELSE '' END,
            tstzrange((b ->> 'start')::timestamptz, (b ->> 'end')::timestamptz),
            CASE WHEN (b ->> 'is_extra')::boolean THEN 'empty'
                ELSE tstzrange((b ->> 'busy_from')::timestamptz, (b ->> 'busy_until')::timestamptz) END,
            coalesce((b ->> 'is_extra')::boolean, false));
    END LOOP;
END $$;
