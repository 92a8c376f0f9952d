-- Who performs a service, with their own price and duration, as its published form has them.
CREATE OR REPLACE FUNCTION item_staff_json(p_tenant uuid, i items, t tenants, p_rate numeric) RETURNS json
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_staff json;
    v_price numeric := coalesce(offer_today(i.offer_price, i.offer_from, i.offer_until, t.timezone), i.price);
BEGIN
    SELECT json_agg(json_build_object('id', s.id, 'name', s.name,
        'price', charged_price(coalesce(p.price, v_price), p_rate, t.prices_include_tax, t.currency_decimals),
        'duration', coalesce(p.duration, i.duration)) ORDER BY s.name_search COLLATE "C", s.id)
    INTO v_staff
    FROM staff_services p JOIN staff s ON s.tenant_id = p_tenant AND s.id = p.staff_id AND s.active
    WHERE p.tenant_id = p_tenant AND p.item_id = i.id;
    RETURN coalesce(v_staff, '[]');
END $$;
