-- Creates an order with its lines, bookings, payments and events, and returns its id. p is what orders/create.py has
-- checked and priced; `hold_id` is the hold of the client that ends with it.
-- Locks: providers by id, products by id, the customer, then the counters.
CREATE OR REPLACE FUNCTION create_order(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_order uuid := (p ->> 'id')::uuid;
    v_customer uuid := (p ->> 'customer_id')::uuid;
    v_payments integer := jsonb_array_length(p -> 'payments');
    v_on_account boolean := coalesce((p ->> 'on_account')::boolean, false);
    v_left numeric := (p ->> 'total')::numeric - (p ->> 'paid_amount')::numeric;
    v_has_email boolean;
    v_queues boolean;
    v_items json;
    v_next record;
    v_number bigint;
    v_at timestamptz;
    v_document json;
    v_types text[] := ARRAY['order.created'];
    v_data json[];
    v_stock json[] := '{}';
BEGIN
    PERFORM lock_providers(p_tenant, NULL, p -> 'bookings');
    IF p ->> 'status' <> 'draft' AND p -> 'stock' <> '[]' THEN
        SELECT change_stock(p_tenant, jsonb_agg(jsonb_build_object(
            'item_id', s.item_id, 'option_id', s.option_id, 'units', -s.units * s.quantity)),
            jsonb_build_object('reason', 'sale', 'order_id', v_order, 'oversell', p -> 'oversell',
                'actor', p -> 'actor')) INTO v_stock
        FROM jsonb_to_recordset(p -> 'stock') AS s (item_id uuid, option_id uuid, units integer, quantity integer);
    END IF;
    IF v_customer IS NOT NULL THEN
        SELECT email IS NOT NULL INTO v_has_email FROM customers
        WHERE tenant_id = p_tenant AND id = v_customer AND NOT blocked FOR KEY SHARE;
        IF NOT FOUND THEN
            PERFORM raise_outdated();
        END IF;
    END IF;
    IF v_on_account THEN
        PERFORM lock_account(p_tenant, v_customer, v_order, v_left);
    END IF;
    -- What needs no number comes before it: the counters are what a tenant's writers wait for.
    PERFORM set_bookings_busy(p_tenant, p -> 'bookings');
    v_items := order_list_items_json(p -> 'lines', (p ->> 'decimals')::integer);
    v_queues := p ->> 'status' = 'confirmed' AND p ->> 'starts_at' IS NOT NULL
        AND (p #>> '{actor,type}' NOT IN ('app', 'key') OR has_messages_for_applications(p_tenant))
        AND (v_has_email OR p ->> 'contact_email' IS NOT NULL OR has_message_application(p_tenant));

    v_next := next_number(p_tenant, 'order_number');
    v_number := v_next.last;
    v_at := v_next.assigned_at;
    PERFORM FROM tenants WHERE id = p_tenant AND currency = p ->> 'currency';
    IF NOT FOUND THEN
        PERFORM raise_outdated(); -- it was changed after the order was priced
    END IF;
    INSERT INTO orders (tenant_id, id, order_number, branch_id, customer_id, status, source, currency, sub_total,
        discount_amount, total, paid_amount, starts_at, note, created_by_type, created_by_id, created_at, updated_at,
        discount, cashier, cashier_code, list_items, tax_amount, series_id, language, contact_email,
        on_account)
    VALUES (p_tenant, v_order, v_number, (p ->> 'branch_id')::uuid, v_customer, p ->> 'status', p ->> 'source',
        p ->> 'currency', (p ->> 'sub_total')::numeric, (p ->> 'discount_amount')::numeric, (p ->> 'total')::numeric,
        (p ->> 'paid_amount')::numeric, (p ->> 'starts_at')::timestamptz, p ->> 'note', p #>> '{actor,type}',
        (p #>> '{actor,id}')::uuid, v_at, v_at, nullif(p -> 'discount', 'null'), p ->> 'cashier', p ->> 'cashier_code',
        v_items, (p ->> 'tax_amount')::numeric, (p ->> 'series_id')::uuid, p ->> 'language', p ->> 'contact_email',
        v_on_account);
    PERFORM insert_order_lines(p_tenant, v_order, p -> 'lines', p -> 'stock');
    PERFORM insert_bookings(p_tenant, v_order, v_number, p -> 'bookings');
    INSERT INTO order_status_history (tenant_id, id, order_id, to_status, changed_by_type, changed_by_id, created_at)
    VALUES (p_tenant, v_order, v_order, p ->> 'status', p #>> '{actor,type}', (p #>> '{actor,id}')::uuid, v_at);
    IF v_payments > 0 THEN
        PERFORM insert_payments(
            p_tenant, v_order, p ->> 'currency', p -> 'payments', p ->> 'cashier', p ->> 'cashier_code', p -> 'actor');
    END IF;
    IF jsonb_array_length(p -> 'tips') > 0 THEN
        PERFORM insert_tips(p_tenant, v_order, p);
    END IF;
    IF v_number - v_next.summed >= 25 THEN
        PERFORM sum_sales(p_tenant);
    END IF;

    PERFORM record_activity(p_tenant, p -> 'actor', 'order.created', v_order, v_number::text, NULL, jsonb_build_object(
        'status', p -> 'status', 'total', p -> 'total', 'starts_at', p -> 'starts_at', 'amount', p -> 'paid_amount',
        'notify', p -> 'notify'));
    IF v_on_account THEN
        PERFORM record_activity(p_tenant, p -> 'actor', 'order.put_on_account', v_order, v_number::text, NULL,
            jsonb_build_object('amount', v_left));
    END IF;
    IF p -> 'bookings' @> '[{"is_extra": true}]' THEN
        PERFORM record_activity(p_tenant, p -> 'actor', 'order.booked_anyway', v_order, v_number::text);
    END IF;
    IF v_queues THEN
        PERFORM queue_order_message(p_tenant, v_order, 'confirmation', p -> 'actor', p -> 'message',
            (p ->> 'notify')::boolean);
    END IF;
    IF p ->> 'status' = 'confirmed' AND p ->> 'starts_at' IS NOT NULL AND p ->> 'series_id' IS NULL THEN
        PERFORM notify_members(p_tenant, ARRAY[v_order], 'new', p -> 'actor'); -- of a series: book_orders
    END IF;
    v_document := publish_order(p_tenant, v_order);
    v_data := ARRAY[json_build_object('order', v_document)];
    FOR i IN 0..v_payments - 1 LOOP
        v_types := v_types || 'transaction.created'::text;
        v_data := v_data || json_build_object('transaction', v_document #> ARRAY['transactions', i::text]);
    END LOOP;
    PERFORM emit_events(
        p_tenant, v_types || array_fill('item.stock_changed'::text, ARRAY[cardinality(v_stock)]), v_data || v_stock,
        p_actor => p -> 'actor');
    IF p ->> 'hold_id' IS NOT NULL THEN
        DELETE FROM holds
        WHERE tenant_id = p_tenant AND id = (p ->> 'hold_id')::uuid AND client_id = (p #>> '{actor,id}')::uuid;
    END IF;
    RETURN v_order;
END $$;
