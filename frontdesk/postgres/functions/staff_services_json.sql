-- The services of a staff member as the activity shows them: the name of each with what is their own.
CREATE OR REPLACE FUNCTION staff_services_json(p_tenant uuid, p_staff uuid) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_services jsonb;
BEGIN
    SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('name', i.name, 'price', ss.price::text,
        'duration', ss.duration)) ORDER BY i.sort_order, i.id), '[]') INTO v_services
    FROM staff_services ss JOIN items i ON i.tenant_id = p_tenant AND i.id = ss.item_id
    WHERE ss.tenant_id = p_tenant AND ss.staff_id = p_staff;
    RETURN v_services;
END $$;
