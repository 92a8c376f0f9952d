-- Refunds an order and returns the id of the refund, which is an order with negated amounts. p has its lines,
-- the payments that the money goes back to, and the credit note if the order has an invoice; if the refund cancels the
-- order, also the credit note for the rest of the invoice.
CREATE OR REPLACE FUNCTION refund_order(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    o orders;
    v_order uuid := (p ->> 'order_id')::uuid;
    v_child uuid := (p ->> 'id')::uuid;
    v_amount numeric := (p ->> 'amount')::numeric;
    v_number bigint;
    v_at timestamptz;
    v_status text;
    v_types text[] := ARRAY['order.created'];
    v_data json[];
    v_stock json[] := '{}';
BEGIN
    o := lock_order(p_tenant, v_order, (p ->> 'version')::integer);
    IF (p ->> 'restock')::boolean THEN
        PERFORM lock_providers(p_tenant, v_order, '[]');
        PERFORM FROM items WHERE tenant_id = p_tenant AND id IN (
            SELECT item_id FROM order_line_stock WHERE tenant_id = p_tenant AND order_id = v_order)
        ORDER BY id FOR NO KEY UPDATE;
        SELECT change_stock(p_tenant, coalesce(jsonb_agg(jsonb_build_object(
            'item_id', s.item_id, 'option_id', s.option_id, 'units', s.units * l.returned)), '[]'),
            jsonb_build_object('reason', 'return', 'order_id', v_order, 'actor', p -> 'actor')) INTO v_stock
        FROM jsonb_to_recordset(p -> 'lines') AS l (sold_id uuid, returned integer)
        JOIN order_line_stock s ON s.tenant_id = p_tenant AND s.line_id = l.sold_id
        WHERE l.returned > 0;
    END IF;

    -- The refund refers to the customer: locked before the counters, as in create_order. A merge waits for the counter
    -- last.
    PERFORM FROM customers WHERE tenant_id = p_tenant AND id = o.customer_id FOR KEY SHARE;
    SELECT n.last, n.assigned_at INTO v_number, v_at FROM next_number(p_tenant, 'order_number') n;
    INSERT INTO orders (tenant_id, id, order_number, parent_id, branch_id, customer_id, status, source, currency,
        sub_total, discount_amount, total, paid_amount, created_by_type, created_by_id, created_at, updated_at, cashier,
        cashier_code, tax_amount)
    VALUES (p_tenant, v_child, v_number, v_order, o.branch_id, o.customer_id, 'completed', p ->> 'source', o.currency,
        -v_amount - (p ->> 'discount_amount')::numeric, -(p ->> 'discount_amount')::numeric, -v_amount, -v_amount,
        p #>> '{actor,type}', (p #>> '{actor,id}')::uuid, v_at, v_at, p ->> 'cashier', p ->> 'cashier_code',
        -(p ->> 'tax_amount')::numeric);
    INSERT INTO order_lines (tenant_id, id, order_id, position, parent_line_id, type, item_id, package_id, option_ids,
        option_name, staff_id, name, price, quantity, discount_amount, total, returned, tax_rate, tax_amount)
    SELECT p_tenant, l.id, v_child, l.ordinality - 1, s.id, s.type, s.item_id, s.package_id, s.option_ids,
        s.option_name, s.staff_id, s.name, l.price, -l.quantity, -l.discount_amount, -l.total, l.returned,
        s.tax_rate, -l.tax_amount
    FROM ROWS FROM (jsonb_to_recordset(p -> 'lines') AS (
        id uuid, sold_id uuid, quantity integer, price numeric, discount_amount numeric, total numeric,
        returned integer, tax_amount numeric
    )) WITH ORDINALITY AS l
    JOIN order_lines s ON s.tenant_id = p_tenant AND s.id = l.sold_id;
    PERFORM rebuild_list_items(p_tenant, v_child);
    INSERT INTO order_status_history (tenant_id, id, order_id, to_status, changed_by_type, changed_by_id, created_at)
    VALUES (p_tenant, v_child, v_child, 'completed', p #>> '{actor,type}', (p #>> '{actor,id}')::uuid, v_at);
    PERFORM insert_refund_transactions(
        p_tenant, v_child, o.currency, p -> 'payments', p ->> 'cashier', p ->> 'cashier_code', p -> 'actor');
    UPDATE orders SET refunded_amount = refunded_amount + v_amount, updated_at = monotonic_now(updated_at),
        version = version + 1
    WHERE tenant_id = p_tenant AND id = v_order RETURNING payment_status INTO v_status;
    INSERT INTO refunds (tenant_id, id, order_id, child_order_id, amount, restocked, reason, created_by)
    VALUES (p_tenant, uuid_v7(v_at), v_order, v_child, v_amount, (p ->> 'restocked')::boolean, p ->> 'reason',
        (p #>> '{actor,id}')::uuid);
    IF p -> 'credit_note' <> 'null' THEN
        PERFORM insert_credit_note(p_tenant, v_order, p -> 'credit_note');
    END IF;
    PERFORM sum_sales(p_tenant);
    PERFORM add_sale_to_reports(p_tenant, v_child, 'refund', 1, v_at);
    IF o.status = 'canceled' THEN
        PERFORM add_sale_to_reports(p_tenant, v_child, 'canceled_refund', -1, v_at);
    END IF;

    PERFORM record_activity(p_tenant, p -> 'actor', 'order.refunded', v_order, o.order_number::text, NULL,
        jsonb_build_object('amount', p -> 'amount', 'reason', p -> 'reason', 'cashier', p -> 'cashier'));
    v_data := ARRAY[json_build_object('order', publish_order(p_tenant, v_child))];
    FOR i IN 0..jsonb_array_length(p -> 'payments') - 1 LOOP
        v_types := v_types || 'transaction.created'::text;
        v_data := v_data || json_build_object('transaction', v_data[1] -> 'order' -> 'transactions' -> i);
    END LOOP;
    IF v_status <> o.payment_status THEN
        v_types := v_types || 'order.payment_status_changed'::text;
        v_data := v_data || payment_status_changed_json(p_tenant, v_order, o.payment_status);
    END IF;
    PERFORM emit_events(
        p_tenant, v_types || array_fill('item.stock_changed'::text, ARRAY[cardinality(v_stock)]), v_data || v_stock,
        p_actor => p -> 'actor');
    IF (p ->> 'cancel_order')::boolean THEN
        PERFORM change_order_status(p_tenant, jsonb_build_object(
            'order_id', v_order, 'status', 'canceled', 'effect', 'release', 'note', p -> 'reason',
            'actor', p -> 'actor', 'credit_note', p -> 'rest_credit_note'));
    END IF;
    RETURN v_child;
END $$;
