-- The lines of an order as an array of published forms, with who performs each and the line's own id.
CREATE OR REPLACE FUNCTION order_items_json(p_tenant uuid, p_order uuid, p_decimals integer) RETURNS json
LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_items json;
BEGIN
    SELECT json_agg(json_build_object(
        'id', coalesce(l.item_id, l.package_id), 'name', l.name, 'type', l.type, 'price', round(l.price, p_decimals),
        'quantity', l.quantity, 'discount_amount', round(l.discount_amount, p_decimals),
        'total', round(l.total, p_decimals), 'option', option_json(l.option_ids, l.option_name), 'staff_id', l.staff_id,
        'line_id', l.id) ORDER BY l.position)
    INTO v_items FROM order_lines l WHERE l.tenant_id = p_tenant AND l.order_id = p_order;
    RETURN coalesce(v_items, '[]');
END $$;
