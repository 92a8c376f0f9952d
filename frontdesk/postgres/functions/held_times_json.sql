-- Which part of a time no other order's booking of the provider has too, as pairs of instants: what becomes free when
-- the booking of that time is moved. Bookings overlap only if one of them was made on purpose over the other.
CREATE OR REPLACE FUNCTION held_times_json(p_tenant uuid, p_order uuid, p_staff uuid, p_held tstzrange) RETURNS json
LANGUAGE sql STABLE AS $$
    SELECT coalesce(json_agg(json_build_array(format_utc(lower(t)), format_utc(upper(t)))), '[]')
    FROM unnest(tstzmultirange(p_held) - coalesce((
        SELECT range_agg(CASE WHEN k.is_extra THEN k.during ELSE k.busy END) FROM bookings k
        WHERE k.tenant_id = p_tenant AND k.staff_id = p_staff AND k.is_active AND k.order_id <> p_order
            AND lower(k.during) > lower(p_held) - interval '2 days'
            AND lower(k.during) < upper(p_held) + interval '1 day' -- a buffer before it
        ), '{}'::tstzmultirange)) t
$$;
