-- Locks the customer of a sale on account, and raises FD003 unless they may owe the amount beside what they owe for
-- other orders.
CREATE OR REPLACE FUNCTION lock_account(p_tenant uuid, p_customer uuid, p_order uuid, p_amount numeric) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_limit numeric;
    v_owed numeric;
BEGIN
    SELECT account_limit INTO v_limit FROM customers WHERE tenant_id = p_tenant AND id = p_customer FOR NO KEY UPDATE;
    SELECT coalesce(sum(owed_amount(on_account, parent_id, status, total, paid_amount)), 0) INTO v_owed FROM orders
    WHERE tenant_id = p_tenant AND customer_id = p_customer AND id <> p_order AND on_account;
    IF v_limit IS NULL OR v_owed + p_amount > v_limit THEN
        RAISE EXCEPTION 'the customer may not owe so much' USING ERRCODE = 'FD003';
    END IF;
END $$;
