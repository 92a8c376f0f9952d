-- An order as the POS API returns it after a write: the response to a creation, with what a receipt shows.
CREATE OR REPLACE FUNCTION pos_order_document(p_tenant uuid, p_order uuid) RETURNS jsonb LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    o orders;
    n tenants;
    v_change numeric;
    v_decimals integer;
    v_booking json;
BEGIN
    SELECT * INTO o FROM orders WHERE tenant_id = p_tenant AND id = p_order;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    SELECT * INTO n FROM tenants WHERE id = p_tenant;
    SELECT sum(tendered_amount - amount) INTO v_change
    FROM transactions WHERE tenant_id = p_tenant AND order_id = p_order;
    v_decimals := n.currency_decimals;
    v_booking := order_bookings_json(p_tenant, o, n.timezone) -> 0;
    RETURN created_order_document(p_tenant, p_order)::jsonb || jsonb_build_object(
        'sub_total', round(o.sub_total, v_decimals), 'discount_amount', round(o.discount_amount, v_decimals),
        'tax_amount', round(o.tax_amount, v_decimals),
        'paid_amount', round(o.paid_amount, v_decimals),
        'remaining_amount', round(greatest(o.total - o.paid_amount, 0), v_decimals),
        'change_due', round(coalesce(v_change, 0), v_decimals), 'cashier', o.cashier,
        'items', order_items_json(p_tenant, p_order, v_decimals),
        'transactions', order_transactions_json(p_tenant, o, v_booking, v_decimals, n.timezone));
END $$;
