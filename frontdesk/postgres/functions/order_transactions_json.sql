-- The transactions of an order as an array of published forms, in the order of their numbers.
CREATE OR REPLACE FUNCTION order_transactions_json(
    p_tenant uuid, o orders, p_booking json, p_decimals integer, p_zone text
) RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_transactions json;
BEGIN
    SELECT json_agg(transaction_json(t, m, o.order_number, p_booking, p_decimals, p_zone) ORDER BY t.transaction_no)
    INTO v_transactions
    FROM transactions t JOIN payment_methods m ON m.tenant_id = p_tenant AND m.id = t.payment_method_id
    WHERE t.tenant_id = p_tenant AND t.order_id = o.id;
    RETURN coalesce(v_transactions, '[]');
END $$;
