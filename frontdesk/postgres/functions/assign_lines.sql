-- Writes into service lines who performs them, why they do, and how many minutes that takes. A provider who stays was
-- chosen as before.
CREATE OR REPLACE FUNCTION assign_lines(p_tenant uuid, p_bookings jsonb) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    UPDATE order_lines l SET staff_id = b.staff_id, duration = extract(epoch FROM b."end" - b.start) / 60,
        chosen = CASE WHEN l.staff_id IS DISTINCT FROM b.staff_id THEN nullif(b.chosen, 'null') ELSE l.chosen END
    FROM jsonb_to_recordset(p_bookings) AS b (
        line_id uuid, staff_id uuid, start timestamptz, "end" timestamptz, chosen jsonb)
    WHERE l.tenant_id = p_tenant AND l.id = b.line_id;
END $$;
