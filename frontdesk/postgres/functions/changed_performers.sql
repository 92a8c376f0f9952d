-- Those of the given staff for whom write_performers changes something: whether they perform a service, or their own
-- price or duration.
CREATE OR REPLACE FUNCTION changed_performers(p_tenant uuid, p_item uuid, p_performers jsonb) RETURNS uuid[]
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    RETURN ARRAY(
        SELECT g.staff_id
        FROM jsonb_to_recordset(p_performers) AS g (staff_id uuid, performs boolean, price numeric, duration integer)
        LEFT JOIN staff_services s ON s.tenant_id = p_tenant AND s.item_id = p_item AND s.staff_id = g.staff_id
        WHERE CASE WHEN g.performs
            THEN s.staff_id IS NULL OR (s.price, s.duration) IS DISTINCT FROM (g.price, g.duration)
            ELSE s.staff_id IS NOT NULL END);
END $$;
