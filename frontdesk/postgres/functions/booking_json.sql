-- The published form of a booking. Its status is that of its order.
CREATE OR REPLACE FUNCTION booking_json(k record, p_status text, p_zone text) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN json_build_object(
        'id', k.id, 'reference', k.reference, 'start', format_local(lower(k.during), p_zone),
        'end', format_local(upper(k.during), p_zone), 'status', p_status,
        'service_id', k.item_id, 'staff_id', k.staff_id);
END $$;
