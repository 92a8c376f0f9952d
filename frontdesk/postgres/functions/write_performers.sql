-- Writes who performs a service, with their own price and duration. Staff who are not given stay as they are.
CREATE OR REPLACE FUNCTION write_performers(p_tenant uuid, p_item uuid, p_performers jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    DELETE FROM staff_services WHERE tenant_id = p_tenant AND item_id = p_item AND staff_id IN (
        SELECT g.staff_id FROM jsonb_to_recordset(p_performers) AS g (staff_id uuid, performs boolean)
            WHERE NOT g.performs);
    INSERT INTO staff_services (tenant_id, staff_id, item_id, price, duration)
    SELECT p_tenant, g.staff_id, p_item, g.price, g.duration
    FROM jsonb_to_recordset(p_performers) AS g (staff_id uuid, performs boolean, price numeric, duration integer)
    WHERE g.performs
    ON CONFLICT (tenant_id, staff_id, item_id) DO UPDATE SET price = excluded.price, duration = excluded.duration;
END $$;
