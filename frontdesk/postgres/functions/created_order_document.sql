-- The response to the creation of an order.
CREATE OR REPLACE FUNCTION created_order_document(p_tenant uuid,
    p_order uuid) RETURNS json LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    o record;
    t record;
    v_zone text;
    v_decimals integer;
BEGIN
    SELECT order_number, status, payment_status, currency, total, created_at INTO o FROM orders
        WHERE tenant_id = p_tenant AND id = p_order;
    SELECT timezone, currency_decimals INTO v_zone, v_decimals FROM tenants WHERE id = p_tenant;
    SELECT id, amount, currency, status, reference_number, date INTO t FROM transactions
    WHERE tenant_id = p_tenant AND order_id = p_order ORDER BY transaction_no + 0 LIMIT 1; -- by the index of the order
    RETURN json_build_object(
        'id', p_order, 'order_number', o.order_number::text, 'status', o.status, 'payment_status', o.payment_status,
        'currency', o.currency, 'total', round(o.total, v_decimals), 'created_at', format_utc(o.created_at),
        'transaction', CASE WHEN t.id IS NOT NULL THEN json_build_object(
            'id', t.id, 'amount', round(t.amount, v_decimals)::text, 'currency', t.currency,
            'status', t.status, 'reference_number', t.reference_number,
            'date', format_local(t.date, v_zone)) END);
END $$;
