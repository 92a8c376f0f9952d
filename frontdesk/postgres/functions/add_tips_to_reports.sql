-- Adds the tips of an order that were just inserted to the sums of the day. p_tips has {staff_id, method_id, amount}.
-- The caller holds the counter `transaction_no`.
CREATE OR REPLACE FUNCTION add_tips_to_reports(p_tenant uuid, p_order uuid, p_tips jsonb, p_at timestamptz) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_branch uuid;
    v_day date;
BEGIN
    SELECT branch_id INTO v_branch FROM orders WHERE tenant_id = p_tenant AND id = p_order;
    v_day := report_day(p_tenant, p_at);
    INSERT INTO method_sums AS s (tenant_id, day, branch_id, payment_method_id, kind, staff_id, payments, amount)
    SELECT p_tenant, v_day, v_branch, t.method_id, 'tip', coalesce(t.staff_id, '00000000-0000-0000-0000-000000000000'),
        count(*), sum(t.amount)
    FROM jsonb_to_recordset(p_tips) AS t (staff_id uuid, method_id uuid, amount numeric)
    GROUP BY t.method_id, t.staff_id
    ORDER BY t.method_id, t.staff_id
    ON CONFLICT (tenant_id, day, branch_id, payment_method_id, kind, staff_id) DO UPDATE
        SET payments = s.payments + excluded.payments, amount = s.amount + excluded.amount;
END $$;
