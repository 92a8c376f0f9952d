-- A commission rate as the activity shows it.
CREATE OR REPLACE FUNCTION commission_rate_json(p_tenant uuid, p_rate uuid) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_rate jsonb;
BEGIN
    SELECT jsonb_build_object('staff', s.name, 'item', i.name, 'starts_on', r.starts_on, 'percent', r.percent)
        INTO v_rate
    FROM commission_rates r
    LEFT JOIN staff s ON s.tenant_id = p_tenant AND s.id = r.staff_id
    LEFT JOIN items i ON i.tenant_id = p_tenant AND i.id = r.item_id
    WHERE r.tenant_id = p_tenant AND r.id = p_rate;
    RETURN v_rate;
END $$;
