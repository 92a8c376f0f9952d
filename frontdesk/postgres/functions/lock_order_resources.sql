-- Locks an order, all who may perform its services and those in p_items, then the products that both take from stock.
-- A write whose input was outdated on every attempt calls this before it reads again.
CREATE OR REPLACE FUNCTION lock_order_resources(p_tenant uuid, p_order uuid, p_items uuid[]) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_items uuid[];
    v_staff uuid[];
BEGIN
    PERFORM FROM orders WHERE tenant_id = p_tenant AND id = p_order FOR NO KEY UPDATE;
    SELECT array_agg(i.item_id) INTO v_items FROM (
        SELECT unnest(p_items) AS item_id
        UNION SELECT item_id FROM package_items WHERE tenant_id = p_tenant AND package_id = ANY (p_items)
        UNION SELECT item_id FROM order_lines WHERE tenant_id = p_tenant AND order_id = p_order AND type = 'service'
        UNION SELECT item_id FROM order_line_stock WHERE tenant_id = p_tenant AND order_id = p_order) i;
    SELECT array_agg(s.staff_id) INTO v_staff FROM (
        SELECT staff_id FROM staff_services WHERE tenant_id = p_tenant AND item_id = ANY (v_items)
        UNION SELECT staff_id FROM bookings WHERE tenant_id = p_tenant AND order_id = p_order) s;
    PERFORM FROM staff WHERE tenant_id = p_tenant AND id = ANY (v_staff) ORDER BY id FOR NO KEY UPDATE;
    PERFORM FROM items WHERE tenant_id = p_tenant AND id = ANY (v_items) AND type = 'product'
    ORDER BY id FOR NO KEY UPDATE;
END $$;
