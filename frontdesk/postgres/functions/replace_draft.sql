-- Replaces the lines and sums of a draft and returns its id. A draft holds neither time nor stock.
CREATE OR REPLACE FUNCTION replace_draft(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_order uuid := (p ->> 'id')::uuid;
BEGIN
    PERFORM lock_order(p_tenant, v_order, (p ->> 'version')::integer);
    DELETE FROM order_lines WHERE tenant_id = p_tenant AND order_id = v_order;
    UPDATE orders SET customer_id = (p ->> 'customer_id')::uuid, starts_at = (p ->> 'starts_at')::timestamptz,
        sub_total = (p ->> 'sub_total')::numeric, discount_amount = (p ->> 'discount_amount')::numeric,
        total = (p ->> 'total')::numeric, tax_amount = (p ->> 'tax_amount')::numeric, discount = nullif(p -> 'discount', 'null'), cashier = p ->> 'cashier',
        cashier_code = p ->> 'cashier_code',
        list_items = order_list_items_json(p -> 'lines', (p ->> 'decimals')::integer), updated_at = next_time(updated_at), version = version + 1
    WHERE tenant_id = p_tenant AND id = v_order;
    PERFORM insert_order_lines(p_tenant, v_order, p -> 'lines', p -> 'stock');
    RETURN v_order;
END $$;
