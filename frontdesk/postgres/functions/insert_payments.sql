-- Inserts confirmed payments of an order under the next transaction numbers, and returns when they were assigned.
CREATE OR REPLACE FUNCTION insert_payments(
    p_tenant uuid, p_order uuid, p_currency text, p_payments jsonb, p_cashier text, p_cashier_code text,
    p_actor jsonb
) RETURNS timestamptz LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_count integer := jsonb_array_length(p_payments);
    v_next record;
    v_first bigint;
BEGIN
    v_next := next_number(p_tenant, 'transaction_no', v_count);
    v_first := v_next.last - v_count + 1;
    INSERT INTO transactions (tenant_id, id, transaction_no, order_id, payment_method_id, amount, currency, status,
        is_deposit, note, reference_number, date, created_at, updated_at, tendered_amount, cashier, cashier_code,
        created_by_type, created_by_id, returned_order_id)
    SELECT p_tenant, t.id, v_first - 1 + t.ordinality, p_order, t.method_id, t.amount, p_currency, 'confirmed',
        t.is_deposit, t.note, t.reference_number, t.date, v_next.assigned_at, v_next.assigned_at, t.tendered, p_cashier,
        p_cashier_code, p_actor ->> 'type', (p_actor ->> 'id')::uuid, t.returned_order_id
    FROM ROWS FROM (jsonb_to_recordset(p_payments) AS (
        id uuid, method_id uuid, amount numeric, is_deposit boolean, note text, reference_number text,
        date timestamptz, tendered numeric, returned_order_id uuid
    )) WITH ORDINALITY AS t;
    IF v_next.last - v_next.summed >= 25 THEN
        PERFORM sum_payments(p_tenant);
    END IF;
    RETURN v_next.assigned_at;
END $$;
