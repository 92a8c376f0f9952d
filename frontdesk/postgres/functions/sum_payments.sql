-- Adds the payments and refunds since the last call to the sums of the reports. Holds the counter `transaction_no`
-- until the transaction ends. It is called for every 25th payment.
CREATE OR REPLACE FUNCTION sum_payments(p_tenant uuid) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_last bigint;
    v_summed bigint;
BEGIN
    SELECT value, summed INTO v_last, v_summed FROM tenant_counters
    WHERE tenant_id = p_tenant AND name = 'transaction_no' FOR NO KEY UPDATE;
    IF NOT FOUND OR v_summed = v_last THEN
        RETURN;
    END IF;
    INSERT INTO method_sums AS s (tenant_id, day, branch_id, payment_method_id, kind, staff_id, payments, amount)
    SELECT p_tenant, t.day, t.branch_id, t.payment_method_id, t.kind, '00000000-0000-0000-0000-000000000000', count(*),
        sum(t.amount)
    FROM unsummed_payments t WHERE t.tenant_id = p_tenant
    GROUP BY t.day, t.branch_id, t.payment_method_id, t.kind
    ON CONFLICT (tenant_id, day, branch_id, payment_method_id, kind, staff_id) DO UPDATE
        SET payments = s.payments + excluded.payments, amount = s.amount + excluded.amount;
    UPDATE tenant_counters SET summed = v_last WHERE tenant_id = p_tenant AND name = 'transaction_no';
END $$;
