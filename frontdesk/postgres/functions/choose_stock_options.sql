-- Chooses the option of each product that a draft takes its units from: the one that a line names, else the first that
-- has enough. Products are locked by id.
CREATE OR REPLACE FUNCTION choose_stock_options(p_tenant uuid, p_order uuid) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM FROM items WHERE tenant_id = p_tenant AND id IN (
        SELECT item_id FROM order_line_stock WHERE tenant_id = p_tenant AND order_id = p_order)
    ORDER BY id FOR NO KEY UPDATE;
    UPDATE order_line_stock s SET option_id = coalesce(
        (SELECT v.id FROM item_options v WHERE v.tenant_id = p_tenant AND v.id = ANY (l.option_ids)
         AND v.item_id = s.item_id AND v.quantity IS NOT NULL ORDER BY v.sort_order, v.id LIMIT 1),
        (SELECT v.id FROM item_options v WHERE v.tenant_id = p_tenant AND v.item_id = s.item_id
         AND NOT EXISTS (SELECT FROM item_options u
                         WHERE u.tenant_id = p_tenant AND u.item_id = s.item_id AND u.quantity IS NULL)
         ORDER BY v.quantity >= s.units * l.quantity DESC, v.is_active DESC, v.sort_order, v.id LIMIT 1))
    FROM order_lines l
    WHERE s.tenant_id = p_tenant AND s.order_id = p_order AND l.tenant_id = p_tenant AND l.id = s.line_id
      AND s.option_id IS NULL;
END $$;
