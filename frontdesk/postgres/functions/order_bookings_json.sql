-- The bookings of an order as an array of published forms, earliest first.
CREATE OR REPLACE FUNCTION order_bookings_json(p_tenant uuid, o orders, p_zone text) RETURNS json
LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_bookings json;
BEGIN
    SELECT json_agg(booking_json(k, o.status, p_zone) ORDER BY lower(k.during), k.id) INTO v_bookings
    FROM bookings k WHERE k.tenant_id = p_tenant AND k.order_id = o.id;
    RETURN coalesce(v_bookings, '[]');
END $$;
