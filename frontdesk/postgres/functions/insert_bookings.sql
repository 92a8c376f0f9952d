-- Inserts bookings of an order. Their reference is the order's number, and which of its bookings each is, from p_first on.
CREATE OR REPLACE FUNCTION insert_bookings(
    p_tenant uuid, p_order uuid, p_number bigint, p_bookings jsonb, p_first integer DEFAULT 1
) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_reference text := 'BK-' || lpad(p_number::text, greatest(6, length(p_number::text)), '0');
    b record;
BEGIN
    FOR b IN
        INSERT INTO bookings (tenant_id, id, order_id, line_id, staff_id, item_id, reference, during, busy)
        SELECT p_tenant, n.id, p_order, n.line_id, n.staff_id, n.item_id,
            v_reference || CASE WHEN p_first + n.place > 2 THEN '-' || p_first + n.place - 1 ELSE '' END,
            tstzrange(n.start, n."end"), tstzrange(n.busy_from, n.busy_until)
        FROM ROWS FROM (jsonb_to_recordset(p_bookings) AS (
            id uuid, line_id uuid, staff_id uuid, item_id uuid, start timestamptz, "end" timestamptz,
            busy_from timestamptz, busy_until timestamptz)) WITH ORDINALITY
            AS n (id, line_id, staff_id, item_id, start, "end", busy_from, busy_until, place)
        RETURNING staff_id, busy
    LOOP
        PERFORM set_busy(p_tenant, b.staff_id, b.busy, true);
    END LOOP;
END $$;
