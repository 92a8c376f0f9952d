-- Changes the lines of an order, with its time, stock and sums, and returns its id. p is what orders/edit.py has
-- checked and priced: the lines that stay (`kept`), the new ones (`added`), and the stock that all of them take. Lines
-- that p does not name are removed. `bookings` is null if no time changes; otherwise all old times are released first,
-- because the bookings of an order may swap theirs. `paid_now` is what check_out_order takes after it. Locks: the
-- order, providers by id, products by id, the customer, then the counters.
CREATE OR REPLACE FUNCTION edit_order(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    o orders;
    v_order uuid := (p ->> 'order_id')::uuid;
    v_start timestamptz := (p ->> 'starts_at')::timestamptz;
    v_books boolean := p -> 'bookings' <> 'null';
    v_by json := changed_by_json(p #>> '{actor,type}', (p #>> '{actor,id}')::uuid);
    v_before jsonb;
    v_held jsonb;
    v_stock json[];
    v_booking integer;
    v_position integer;
    v_at timestamptz;
    v_status text;
    v_decimals integer;
    v_left numeric;
    v_zone text;
    v_types text[] := ARRAY['order.updated'];
    v_data json[];
BEGIN
    o := lock_order(p_tenant, v_order, (p ->> 'version')::integer);
    IF v_books THEN
        PERFORM lock_providers(p_tenant, v_order, p -> 'bookings');
    END IF;
    PERFORM FROM items WHERE tenant_id = p_tenant AND id IN (
        SELECT item_id FROM order_line_stock WHERE tenant_id = p_tenant AND order_id = v_order
        UNION ALL SELECT s.item_id FROM jsonb_to_recordset(p -> 'stock') AS s (item_id uuid))
    ORDER BY id FOR NO KEY UPDATE;
    v_before := order_staff_json(p_tenant, v_order) || jsonb_build_object(
        'total', o.total, 'starts_at', o.starts_at, 'lines', order_lines_text(p_tenant, v_order));
    v_held := order_stock(p_tenant, v_order, 1);
    -- References of bookings that are removed now are not used again.
    SELECT coalesce(max(coalesce(nullif(split_part(reference, '-', 3), ''), '1')::integer), 0) + 1 INTO v_booking
    FROM bookings WHERE tenant_id = p_tenant AND order_id = v_order;
    SELECT max(position) + 1 INTO v_position FROM order_lines WHERE tenant_id = p_tenant AND order_id = v_order;

    PERFORM add_order_to_reports(p_tenant, v_order, -1);
    IF v_books THEN
        PERFORM set_bookings_active(p_tenant, v_order, false);
    END IF;
    DELETE FROM order_lines WHERE tenant_id = p_tenant AND order_id = v_order
        AND NOT id IN (SELECT l.id FROM jsonb_to_recordset(p -> 'kept') AS l (id uuid));
    UPDATE order_lines k SET option_ids = l.option_ids, option_name = l.option_name, staff_id = l.staff_id,
        price = l.price,
        quantity = l.quantity,
        discount_amount = l.discount_amount, own_discount = l.own_discount, total = l.total, duration = l.duration,
        tax_rate = l.tax_rate, tax_amount = l.tax_amount, priced = coalesce(nullif(l.priced, 'null'), k.priced),
        chosen = CASE WHEN k.staff_id IS DISTINCT FROM l.staff_id THEN nullif(l.chosen, 'null') ELSE k.chosen END
    FROM jsonb_to_recordset(p -> 'kept') AS l (
        id uuid, option_ids uuid[], option_name text, staff_id uuid, price numeric, quantity integer,
        discount_amount numeric, own_discount numeric, total numeric, duration integer, tax_rate numeric,
            tax_amount numeric, priced jsonb, chosen jsonb)
    WHERE k.tenant_id = p_tenant AND k.id = l.id;
    DELETE FROM order_line_stock WHERE tenant_id = p_tenant AND order_id = v_order;
    PERFORM insert_order_lines(p_tenant, v_order, p -> 'added', p -> 'stock', v_position);
    IF v_books THEN
        UPDATE bookings k SET staff_id = b.staff_id, during = tstzrange(b.start, b."end"),
            busy = CASE WHEN b.is_extra THEN 'empty' ELSE tstzrange(b.busy_from, b.busy_until) END,
            is_extra = coalesce(b.is_extra, false), ended_at = NULL
        FROM jsonb_to_recordset(p -> 'bookings') AS b (
            id uuid, staff_id uuid, start timestamptz, "end" timestamptz, busy_from timestamptz, busy_until timestamptz,
            is_extra boolean)
        WHERE k.tenant_id = p_tenant AND k.id = b.id;
        PERFORM set_bookings_busy(p_tenant, p -> 'bookings');
        PERFORM insert_bookings(p_tenant, v_order, o.order_number, coalesce((
            SELECT jsonb_agg(b.booking ORDER BY b.ordinality)
            FROM jsonb_array_elements(p -> 'bookings') WITH ORDINALITY AS b (booking, ordinality)
            WHERE NOT EXISTS (SELECT FROM bookings k
                WHERE k.tenant_id = p_tenant AND k.id = (b.booking ->> 'id')::uuid)), '[]'), v_booking);
        PERFORM set_bookings_active(p_tenant, v_order, true);
    END IF;
    v_stock := exchange_stock(p_tenant, v_held, order_stock(p_tenant, v_order, -1),
        jsonb_build_object('order_id', v_order, 'actor', p -> 'actor'));

    -- Of an order on account that grows, the limit of the customer also holds for the new rest.
    v_left := (p ->> 'total')::numeric - o.paid_amount - coalesce((p ->> 'paid_now')::numeric, 0);
    IF o.on_account AND (p ->> 'total')::numeric > o.total AND v_left > 0 THEN
        PERFORM lock_account(p_tenant, o.customer_id, v_order, v_left);
    END IF;
    -- A message refers to the customer: locked before the counter, as in create_order.
    PERFORM FROM customers WHERE tenant_id = p_tenant AND id = o.customer_id FOR KEY SHARE;
    -- A day is closed before the change or after it, never in between.
    PERFORM FROM tenant_counters WHERE tenant_id = p_tenant AND name = 'order_number' FOR NO KEY UPDATE;
    v_at := clock_timestamp();
    UPDATE orders SET sub_total = (p ->> 'sub_total')::numeric, discount_amount = (p ->> 'discount_amount')::numeric,
        total = (p ->> 'total')::numeric, tax_amount = (p ->> 'tax_amount')::numeric,
        discount = nullif(p -> 'discount', 'null'), discount_by = coalesce(nullif(p -> 'discount_by', 'null'),
            discount_by), starts_at = v_start, updated_at = v_at, version = version + 1
    WHERE tenant_id = p_tenant AND id = v_order RETURNING payment_status INTO v_status;
    PERFORM rebuild_list_items(p_tenant, v_order);
    PERFORM add_order_to_reports(p_tenant, v_order, 1);
    INSERT INTO order_status_history (tenant_id, id, order_id, from_status, to_status, note, changed_by_type,
        changed_by_id, created_at, previous_total, new_total, previous_start, new_start)
    VALUES (p_tenant, uuid_v7(v_at), v_order, o.status, o.status, p ->> 'note', p #>> '{actor,type}',
        (p #>> '{actor,id}')::uuid, v_at, o.total, (p ->> 'total')::numeric,
        CASE WHEN v_start <> o.starts_at THEN o.starts_at END, CASE WHEN v_start <> o.starts_at THEN v_start END);
    PERFORM record_activity(p_tenant, p -> 'actor', 'order.edited', v_order, o.order_number::text, v_before,
        order_staff_json(p_tenant, v_order) || jsonb_build_object('total', (p ->> 'total')::money_amount,
            'starts_at', v_start, 'lines', order_lines_text(p_tenant, v_order), 'note', p -> 'note'));

    IF v_start <> o.starts_at THEN
        PERFORM queue_order_message(p_tenant, v_order, 'change', p -> 'actor');
    END IF;
    IF v_start IS DISTINCT FROM o.starts_at
            OR order_staff_json(p_tenant, v_order) -> 'staff_ids' IS DISTINCT FROM v_before -> 'staff_ids' THEN
        PERFORM notify_members(p_tenant, ARRAY[v_order], 'moved', p -> 'actor', v_before);
    END IF;
    SELECT currency_decimals, timezone INTO v_decimals, v_zone FROM tenants WHERE id = p_tenant;
    v_data := ARRAY[json_build_object('order', publish_order(p_tenant, v_order),
        'previous_total', round(o.total, v_decimals), 'changed_by', v_by)];
    IF v_start <> o.starts_at THEN
        v_types := v_types || 'order.rescheduled'::text;
        v_data := v_data || json_build_object('order', v_data[1] -> 'order',
            'previous_start', format_local(o.starts_at, v_zone), 'start', format_local(v_start, v_zone),
            'changed_by', v_by);
    END IF;
    IF v_status <> o.payment_status THEN
        v_types := v_types || 'order.payment_status_changed'::text;
        v_data := v_data || payment_status_changed_json(p_tenant, v_order, o.payment_status);
    END IF;
    PERFORM emit_events(
        p_tenant, v_types || array_fill('item.stock_changed'::text, ARRAY[cardinality(v_stock)]), v_data || v_stock,
        p_actor => p -> 'actor', p_previous_staff => v_before -> 'staff_ids');
    RETURN v_order;
END $$;
