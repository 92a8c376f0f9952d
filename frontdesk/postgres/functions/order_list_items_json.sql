-- The lines of an order as lists of orders show them. p_lines has the columns of order_lines, in the order of the
-- lines.
CREATE OR REPLACE FUNCTION order_list_items_json(p_lines jsonb, p_decimals integer) RETURNS json
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    v_items json;
BEGIN
    SELECT json_agg(json_build_object(
        'id', coalesce(l.item_id, l.package_id), 'name', l.name, 'type', l.type, 'price', round(l.price, p_decimals),
        'quantity', l.quantity, 'discount_amount', round(l.discount_amount, p_decimals),
        'total', round(l.total, p_decimals), 'option', option_json(l.option_ids, l.option_name))) INTO v_items
    FROM jsonb_to_recordset(p_lines) AS l (
        item_id uuid, package_id uuid, name text, type text, price numeric, quantity integer, discount_amount numeric,
        total numeric, option_ids uuid[], option_name text);
    RETURN coalesce(v_items, '[]');
END $$;
