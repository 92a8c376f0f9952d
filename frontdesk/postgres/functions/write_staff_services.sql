-- Makes the services that a staff member performs those of `p_services`, each with what is their own. The caller has
-- the lock of the staff member.
CREATE OR REPLACE FUNCTION write_staff_services(p_tenant uuid, p_staff uuid, p_services jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    DELETE FROM staff_services WHERE tenant_id = p_tenant AND staff_id = p_staff AND item_id NOT IN (
        SELECT item_id FROM jsonb_to_recordset(p_services) AS s (item_id uuid));
    INSERT INTO staff_services (tenant_id, staff_id, item_id, price, duration)
    SELECT p_tenant, p_staff, s.item_id, s.price, s.duration
    FROM jsonb_to_recordset(p_services) AS s (item_id uuid, price numeric, duration integer)
    ON CONFLICT (tenant_id, staff_id, item_id) DO UPDATE SET price = excluded.price, duration = excluded.duration;
END $$;
