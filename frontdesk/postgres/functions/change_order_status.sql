-- Changes the status of an order and returns its id. `effect` says what that does to its time and stock: "release"
-- frees them, "reacquire" takes them again, with the schedules that p names as they were checked, "confirm" takes them
-- for the first time, with the bookings that p names. With `not_blocked` the customer must not have been blocked
-- meanwhile. What is canceled is no longer on account: revived, it is an ordinary unpaid order. What is done before its
-- end frees the rest of its time. A cancellation of an order with an invoice has the credit note for the rest of it.
CREATE OR REPLACE FUNCTION change_order_status(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    o orders;
    v_order uuid := (p ->> 'order_id')::uuid;
    v_effect text := p ->> 'effect';
    v_stock json[] := '{}';
    v_at timestamptz;
    v_done boolean := p ->> 'status' = 'completed';
BEGIN
    o := lock_order(p_tenant, v_order, (p ->> 'version')::integer);
    IF v_effect IS NOT NULL THEN
        PERFORM lock_providers(p_tenant, v_order, p -> 'bookings');
        IF v_effect = 'confirm' THEN
            PERFORM assign_stock_options(p_tenant, v_order, p -> 'stock');
            PERFORM assign_lines(p_tenant, p -> 'bookings');
            PERFORM set_bookings_busy(p_tenant, p -> 'bookings');
            PERFORM insert_bookings(p_tenant, v_order, o.order_number, p -> 'bookings');
        ELSE
            PERFORM set_bookings_active(p_tenant, v_order, v_effect = 'reacquire');
        END IF;
        v_stock := change_stock(
            p_tenant, order_stock(p_tenant, v_order, CASE v_effect WHEN 'release' THEN 1 ELSE -1 END),
            jsonb_build_object('reason', CASE v_effect WHEN 'release' THEN 'return' ELSE 'sale' END, 'order_id',
                v_order,
                'oversell', p -> 'oversell', 'actor', p -> 'actor'));
    END IF;
    IF v_effect IS NULL AND o.starts_at <= clock_timestamp() AND v_done <> (o.status = 'completed') THEN
        PERFORM lock_providers(p_tenant, v_order, '[]');
        IF v_done THEN
            PERFORM end_bookings(p_tenant, v_order, clock_timestamp());
        ELSE
            PERFORM resume_bookings(p_tenant, v_order);
        END IF;
    END IF;
    -- A message refers to the customer: locked before the counter, as in create_order.
    PERFORM FROM customers WHERE tenant_id = p_tenant AND id = o.customer_id
        AND NOT (blocked AND coalesce((p ->> 'not_blocked')::boolean, false)) FOR KEY SHARE;
    IF NOT FOUND AND o.customer_id IS NOT NULL THEN
        PERFORM raise_outdated();
    END IF;
    -- A day is closed before the change or after it, never in between.
    PERFORM FROM tenant_counters WHERE tenant_id = p_tenant AND name = 'order_number' FOR NO KEY UPDATE;
    IF (o.status IN ('draft', 'canceled')) <> (p ->> 'status' IN ('draft', 'canceled')) THEN
        PERFORM sum_sales(p_tenant);
    END IF;
    IF p -> 'credit_note' <> 'null' THEN
        PERFORM insert_credit_note(p_tenant, v_order, p -> 'credit_note');
    END IF;
    v_at := clock_timestamp();
    UPDATE orders SET status = p ->> 'status', updated_at = v_at, version = version + 1,
        no_show = p ->> 'status' = 'canceled' AND coalesce((p ->> 'no_show')::boolean, false),
        cancel_reason = nullif(p -> 'reason', 'null'), on_account = on_account AND p ->> 'status' <> 'canceled'
    WHERE tenant_id = p_tenant AND id = v_order;
    INSERT INTO order_status_history
        (tenant_id, id, order_id, from_status, to_status, note, changed_by_type, changed_by_id, created_at)
    VALUES (p_tenant, uuid_v7(v_at), v_order, o.status, p ->> 'status', p ->> 'note', p #>> '{actor,type}',
        (p #>> '{actor,id}')::uuid, v_at);
    IF p ->> 'status' = 'canceled' AND o.status <> 'draft' THEN
        PERFORM add_sale_to_reports(p_tenant, v_order, 'cancellation', -1, v_at);
        PERFORM add_sale_to_reports(p_tenant, r.id, 'canceled_refund', -1, v_at) FROM orders r
        WHERE r.tenant_id = p_tenant AND r.parent_id = v_order AND o.refunded_amount > 0;
    ELSIF p ->> 'status' <> 'canceled' AND o.status IN ('draft', 'canceled') THEN
        PERFORM add_sale_to_reports(p_tenant, v_order, 'sale', 1, v_at);
    END IF;
    PERFORM record_activity(p_tenant, p -> 'actor', 'order.status_changed', v_order, o.order_number::text,
        jsonb_build_object('status', o.status), jsonb_build_object('status', p -> 'status', 'note', p -> 'note')
            || jsonb_strip_nulls(jsonb_build_object('notify', p -> 'notify')));
    IF p ->> 'status' = 'canceled' AND o.status = 'confirmed' AND NOT coalesce((p ->> 'no_show')::boolean, false) THEN
        PERFORM queue_order_message(p_tenant, v_order, 'cancellation', p -> 'actor', p -> 'message',
            (p ->> 'notify')::boolean);
        IF p -> 'message' IS NULL THEN -- of a series: cancel_series
            PERFORM notify_members(p_tenant, ARRAY[v_order], 'canceled', p -> 'actor');
        END IF;
    ELSIF p ->> 'status' = 'confirmed' AND o.status IN ('draft', 'canceled') THEN
        PERFORM queue_order_message(p_tenant, v_order, 'confirmation', p -> 'actor');
        PERFORM notify_members(p_tenant, ARRAY[v_order], 'new', p -> 'actor');
    END IF;
    PERFORM emit_events(
        p_tenant, 'order.status_changed'::text || array_fill('item.stock_changed'::text, ARRAY[cardinality(v_stock)]),
        json_build_object(
            'order', publish_order(p_tenant, v_order), 'previous_status', o.status, 'status', p ->> 'status',
            'note_for_status', p ->> 'note',
            'changed_by', changed_by_json(p #>> '{actor,type}', (p #>> '{actor,id}')::uuid)) || v_stock,
        p_actor => p -> 'actor');
    RETURN v_order;
END $$;
