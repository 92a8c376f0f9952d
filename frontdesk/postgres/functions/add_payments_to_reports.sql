-- Adds transactions of an order, by their numbers, to the sums of the day. The caller holds the counter `transaction_no`.
CREATE OR REPLACE FUNCTION add_payments_to_reports(
    p_tenant uuid, p_order uuid, p_first bigint, p_last bigint, p_at timestamptz
) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_branch uuid;
    v_day date;
BEGIN
    SELECT branch_id INTO v_branch FROM orders WHERE tenant_id = p_tenant AND id = p_order;
    v_day := report_day(p_tenant, v_branch, p_at);
    INSERT INTO payments_by_method AS s (tenant_id, day, branch_id, payment_method_id, kind, staff_id, payments, amount)
    SELECT p_tenant, v_day, v_branch, t.payment_method_id, CASE WHEN t.amount < 0 THEN 'refund' ELSE 'payment' END,
        '00000000-0000-0000-0000-000000000000', count(*), sum(t.amount)
    FROM transactions t WHERE t.tenant_id = p_tenant AND t.transaction_no BETWEEN p_first AND p_last
    GROUP BY t.payment_method_id, t.amount < 0
    ON CONFLICT (tenant_id, day, branch_id, payment_method_id, kind, staff_id) DO UPDATE
        SET payments = s.payments + excluded.payments, amount = s.amount + excluded.amount;
END $$;
