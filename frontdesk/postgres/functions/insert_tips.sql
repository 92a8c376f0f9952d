-- Inserts the tips of an order. p has them with the currency, the cashier and the actor. The counter of transactions is
-- locked, so that a day close counts a tip in one day only.
CREATE OR REPLACE FUNCTION insert_tips(p_tenant uuid, p_order uuid,
    p jsonb) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_at timestamptz;
    v_total numeric;
BEGIN
    IF coalesce(jsonb_array_length(p -> 'tips'), 0) = 0 THEN
        RETURN;
    END IF;
    SELECT n.assigned_at INTO v_at FROM next_number(p_tenant, 'transaction_no', 0) n;
    INSERT INTO tips (tenant_id, id, order_id, staff_id, payment_method_id, amount, currency, cashier, cashier_code,
        created_by_type, created_by_id, created_at)
    SELECT p_tenant, t.id, p_order, t.staff_id, t.method_id, t.amount, p ->> 'currency', p ->> 'cashier',
        p ->> 'cashier_code', p #>> '{actor,type}', (p #>> '{actor,id}')::uuid, v_at
    FROM jsonb_to_recordset(p -> 'tips') AS t (id uuid, staff_id uuid, method_id uuid, amount numeric);
    PERFORM add_tips_to_reports(p_tenant, p_order, p -> 'tips', v_at);
    SELECT sum((t ->> 'amount')::numeric) INTO v_total FROM jsonb_array_elements(p -> 'tips') t;
    PERFORM record_activity(p_tenant, p -> 'actor', 'order.tipped', p_order, o.order_number::text, NULL,
        jsonb_build_object('amount', v_total::money_amount, 'cashier', p -> 'cashier'))
    FROM orders o WHERE o.tenant_id = p_tenant AND o.id = p_order;
END $$;
