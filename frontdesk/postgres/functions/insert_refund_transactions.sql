-- Inserts the transactions of a refund, one for each payment that money goes back to. A payment that is refunded in
-- full, and what refunded it, get the status "refunded".
CREATE OR REPLACE FUNCTION insert_refund_transactions(
    p_tenant uuid, p_order uuid, p_currency text, p_payments jsonb, p_cashier text, p_cashier_code text,
    p_actor jsonb
) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_count integer := jsonb_array_length(p_payments);
    v_last bigint;
    v_at timestamptz;
BEGIN
    IF v_count = 0 THEN
        RETURN;
    END IF;
    SELECT n.last, n.assigned_at INTO v_last, v_at FROM next_number(p_tenant, 'transaction_no', v_count) n;
    UPDATE transactions t SET status = 'refunded', updated_at = v_at
    FROM jsonb_to_recordset(p_payments) AS r (payment_id uuid, wholly boolean)
    WHERE t.tenant_id = p_tenant AND r.wholly AND (t.id = r.payment_id OR t.refund_of_id = r.payment_id);
    UPDATE orders SET version = version + 1 WHERE tenant_id = p_tenant AND id IN ( -- the earlier refunds, which show it
        SELECT t.order_id FROM transactions t
        JOIN jsonb_to_recordset(p_payments) AS r (payment_id uuid, wholly boolean) ON t.refund_of_id = r.payment_id
        WHERE t.tenant_id = p_tenant AND r.wholly);
    INSERT INTO transactions (tenant_id, id, transaction_no, order_id, payment_method_id, refund_of_id, amount,
        currency, status, date, created_at, updated_at, cashier, cashier_code, created_by_type, created_by_id)
    SELECT p_tenant, r.id, v_last - v_count + r.ordinality, p_order, r.method_id, r.payment_id, -r.amount, p_currency,
        CASE WHEN r.wholly THEN 'refunded' ELSE 'confirmed' END, v_at, v_at, v_at, p_cashier, p_cashier_code,
        p_actor ->> 'type', (p_actor ->> 'id')::uuid
    FROM ROWS FROM (jsonb_to_recordset(p_payments) AS (
        id uuid, payment_id uuid, method_id uuid, amount numeric, wholly boolean
    )) WITH ORDINALITY AS r;
END $$;
