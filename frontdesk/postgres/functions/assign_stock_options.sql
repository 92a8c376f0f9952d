-- Writes into the lines of an order which option of each product they take their units from. p_stock has {line_id,
-- item_id, option_id}; null leaves them as they are. Products are locked by id.
CREATE OR REPLACE FUNCTION assign_stock_options(p_tenant uuid, p_order uuid, p_stock jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM FROM items WHERE tenant_id = p_tenant AND id IN (
        SELECT item_id FROM order_line_stock WHERE tenant_id = p_tenant AND order_id = p_order)
    ORDER BY id FOR NO KEY UPDATE;
    UPDATE order_line_stock s SET option_id = c.option_id
    FROM jsonb_to_recordset(p_stock) AS c (line_id uuid, item_id uuid, option_id uuid)
    WHERE s.tenant_id = p_tenant AND s.order_id = p_order AND s.line_id = c.line_id AND s.item_id = c.item_id;
END $$;
