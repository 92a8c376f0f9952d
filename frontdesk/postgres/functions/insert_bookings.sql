-- Inserts bookings of an order. Their reference is the order's number, and which of its bookings each is, from p_first on.
CREATE OR REPLACE FUNCTION insert_bookings(
    p_tenant uuid, p_order uuid, p_number bigint, p_bookings jsonb, p_first integer DEFAULT 1
) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_number text := lpad(p_number::text, greatest(6, length(p_number::text)), '0');
    v_place bigint;
    b record;
BEGIN
    FOR b IN SELECT * FROM ROWS FROM (jsonb_to_recordset(p_bookings) AS (
        id uuid, line_id uuid, staff_id uuid, item_id uuid, start timestamptz, "end" timestamptz, busy_from timestamptz,
        busy_until timestamptz)) WITH ORDINALITY
    LOOP
        v_place := p_first + b.ordinality - 1;
        INSERT INTO bookings (tenant_id, id, order_id, line_id, staff_id, item_id, reference, during, busy)
        VALUES (p_tenant, b.id, p_order, b.line_id, b.staff_id, b.item_id,
            'BK-' || v_number || CASE WHEN v_place > 1 THEN '-' || v_place ELSE '' END,
            tstzrange(b.start, b."end"), tstzrange(b.busy_from, b.busy_until));
        PERFORM set_busy(p_tenant, b.staff_id, tstzrange(b.busy_from, b.busy_until), true);
    END LOOP;
END $$;
