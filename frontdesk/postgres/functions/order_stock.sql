-- What the lines of an order hold of each product and option, as the argument of change_stock. Units that a refund
-- returned are settled: whether they went back into stock was decided then.
CREATE OR REPLACE FUNCTION order_stock(p_tenant uuid, p_order uuid, p_sign integer) RETURNS jsonb
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_changes jsonb;
BEGIN
    SELECT jsonb_agg(jsonb_build_object(
        'item_id', s.item_id, 'option_id', s.option_id, 'units', p_sign * s.units * l.quantity)) INTO v_changes
    FROM order_line_stock s JOIN (
        SELECT l.id, l.quantity - coalesce(sum(r.returned), 0)::integer AS quantity
        FROM order_lines l
        LEFT JOIN order_lines r ON r.tenant_id = l.tenant_id AND r.parent_line_id = l.id
        WHERE l.tenant_id = p_tenant AND l.order_id = p_order GROUP BY l.id, l.quantity) l ON l.id = s.line_id
    WHERE s.tenant_id = p_tenant AND s.order_id = p_order AND l.quantity > 0;
    RETURN coalesce(v_changes, '[]');
END $$;
