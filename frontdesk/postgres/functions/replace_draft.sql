-- Replaces the lines and sums of a draft and returns its id. A draft holds neither time nor stock.
CREATE OR REPLACE FUNCTION replace_draft(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_order uuid := (p ->> 'id')::uuid;
    o orders;
BEGIN
    o := lock_order(p_tenant, v_order, (p ->> 'version')::integer);
    IF p ->> 'customer_id' IS NOT NULL THEN
        PERFORM FROM customers WHERE tenant_id = p_tenant AND id = (p ->> 'customer_id')::uuid
            AND NOT blocked FOR KEY SHARE;
        IF NOT FOUND THEN
            PERFORM raise_outdated();
        END IF;
    END IF;
    DELETE FROM order_lines WHERE tenant_id = p_tenant AND order_id = v_order;
    UPDATE orders SET customer_id = (p ->> 'customer_id')::uuid, starts_at = (p ->> 'starts_at')::timestamptz,
        sub_total = (p ->> 'sub_total')::numeric, discount_amount = (p ->> 'discount_amount')::numeric,
        total = (p ->> 'total')::numeric, tax_amount = (p ->> 'tax_amount')::numeric,
            discount = nullif(p -> 'discount', 'null'), discount_by = nullif(p -> 'discount_by', 'null'),
        cashier = p ->> 'cashier',
        cashier_code = p ->> 'cashier_code',
        list_items = order_list_items_json(p -> 'lines', (p ->> 'decimals')::integer),
            updated_at = monotonic_now(updated_at), version = version + 1
    WHERE tenant_id = p_tenant AND id = v_order;
    PERFORM insert_order_lines(p_tenant, v_order, p -> 'lines', p -> 'stock');
    PERFORM record_activity(p_tenant, p -> 'actor', 'order.updated', v_order, o.order_number::text,
        jsonb_build_object('total', o.total, 'starts_at', o.starts_at),
        jsonb_build_object('total', (p ->> 'total')::money_amount, 'starts_at', (p ->> 'starts_at')::timestamptz));
    RETURN v_order;
END $$;
