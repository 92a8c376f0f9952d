-- The response to the creation of an order.
CREATE OR REPLACE FUNCTION created_order_document(p_tenant uuid, p_order uuid) RETURNS json LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    o orders;
    t transactions;
    n tenants;
BEGIN
    SELECT * INTO o FROM orders WHERE tenant_id = p_tenant AND id = p_order;
    SELECT * INTO n FROM tenants WHERE id = p_tenant;
    SELECT * INTO t FROM transactions
    WHERE tenant_id = p_tenant AND order_id = p_order ORDER BY transaction_no + 0 LIMIT 1; -- by the index of the order
    RETURN json_build_object(
        'id', o.id, 'order_number', o.order_number::text, 'status', o.status, 'payment_status', o.payment_status,
        'currency', o.currency, 'total', round(o.total, n.currency_decimals), 'created_at', format_utc(o.created_at),
        'transaction', CASE WHEN t.id IS NOT NULL THEN json_build_object(
            'id', t.id, 'amount', round(t.amount, n.currency_decimals)::text, 'currency', t.currency,
            'status', t.status, 'reference_number', t.reference_number,
            'date', format_local(t.date, n.timezone)) END);
END $$;
