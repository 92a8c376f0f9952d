-- Who performs the bookings of an order, and how long they take, for the activity: the names to read, and the ids to
-- tell namesakes apart.
CREATE OR REPLACE FUNCTION order_staff_json(p_tenant uuid, p_order uuid) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_object('staff', string_agg(DISTINCT s.name, ', ' ORDER BY s.name),
        'staff_ids', jsonb_agg(b.staff_id ORDER BY b.id),
        'minutes', jsonb_agg((extract(epoch FROM upper(b.during) - lower(b.during)) / 60)::integer ORDER BY b.id))
    FROM bookings b JOIN staff s ON s.tenant_id = b.tenant_id AND s.id = b.staff_id
    WHERE b.tenant_id = p_tenant AND b.order_id = p_order
$$;
