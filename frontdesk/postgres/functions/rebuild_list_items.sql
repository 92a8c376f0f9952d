-- Computes orders.list_items from the lines: of one order, or of all orders of a tenant after a bulk insert.
CREATE OR REPLACE FUNCTION rebuild_list_items(p_tenant uuid, p_order uuid DEFAULT NULL) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_decimals integer;
BEGIN
    SELECT currency_decimals INTO v_decimals FROM tenants WHERE id = p_tenant;
    UPDATE orders o SET list_items = order_list_items_json((
        SELECT jsonb_agg(to_jsonb(l) ORDER BY l.position) FROM order_lines l
        WHERE l.tenant_id = p_tenant AND l.order_id = o.id), v_decimals)
    WHERE o.tenant_id = p_tenant AND o.id = coalesce(p_order, o.id);
END $$;
