-- Creates the orders of the booking form, and returns the id of the first order: a new customer if `customer` is given,
-- the series if the booking repeats, and the orders. The entries of the waiting list that it fulfils and the hold of a
-- customer's form are removed; `consent` is how a new customer has agreed to news, `language` and
-- `contact_email` are those of a customer who books online, `notify` whether the person at the desk sends the
-- confirmation. Everything that the functions called here lock is locked first, in the order of docs/concurrency.md:
-- they run several times.
CREATE OR REPLACE FUNCTION book_orders(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_actor jsonb := jsonb_build_object('actor', p -> 'actor');
    v_language jsonb := jsonb_build_object('language', p -> 'language');
    v_contact jsonb := jsonb_build_object('contact_email', p -> 'contact_email', 'notify', p -> 'notify');
    v_bookings jsonb;
    v_products uuid[];
    v_order jsonb;
    v_message jsonb;
    v_day date;
    v_waiting uuid;
BEGIN
    SELECT jsonb_agg(b.value) INTO v_bookings
    FROM jsonb_array_elements(p -> 'orders') o, jsonb_array_elements(o.value -> 'bookings') b;
    PERFORM lock_providers(p_tenant, NULL, v_bookings);
    SELECT array_agg((s.value ->> 'item_id')::uuid) INTO v_products
    FROM jsonb_array_elements(p -> 'orders') o, jsonb_array_elements(o.value -> 'stock') s;
    PERFORM FROM items WHERE tenant_id = p_tenant AND id = ANY (v_products) ORDER BY id FOR NO KEY UPDATE;
    PERFORM FROM customers
    WHERE tenant_id = p_tenant AND id = (p #>> '{orders,0,customer_id}')::uuid FOR KEY SHARE;
    IF p ->> 'waiting_id' IS NOT NULL THEN
        PERFORM remove_waiting_entry(p_tenant, jsonb_build_object('id', p -> 'waiting_id') || v_actor);
    ELSIF p #>> '{actor,type}' = 'customer' THEN
        SELECT left(format_local((p #>> '{orders,0,starts_at}')::timestamptz, timezone), 10)::date INTO v_day
        FROM tenants WHERE id = p_tenant;
        FOR v_waiting IN
            SELECT w.id FROM waiting_list w
            WHERE w.tenant_id = p_tenant AND w.customer_id = (p #>> '{orders,0,customer_id}')::uuid
                AND w.item_id IN (SELECT (b.value ->> 'item_id')::uuid FROM jsonb_array_elements(v_bookings) b)
                AND v_day BETWEEN w.first_day AND w.last_day
            ORDER BY w.id
        LOOP
            PERFORM remove_waiting_entry(p_tenant, jsonb_build_object('id', v_waiting) || v_actor);
        END LOOP;
    END IF;
    PERFORM FROM tenant_counters WHERE tenant_id = p_tenant AND name IN ('order_number', 'transaction_no')
    ORDER BY name FOR NO KEY UPDATE;

    IF p -> 'customer' <> 'null' THEN
        PERFORM create_customer(p_tenant, (p -> 'customer') || v_actor || v_language);
        IF p ->> 'consent' IS NOT NULL THEN
            PERFORM change_customer_consent(p_tenant, jsonb_build_object(
                'id', p #> '{customer,id}', 'consent_id', gen_random_uuid(), 'how', p -> 'consent') || v_actor);
        END IF;
    END IF;
    IF p -> 'series' <> 'null' THEN
        INSERT INTO order_series (tenant_id, id, every_weeks, created_by)
        VALUES (p_tenant, (p #>> '{series,id}')::uuid, (p #>> '{series,every_weeks}')::smallint,
            acting_user(p -> 'actor'));
    END IF;
    SELECT jsonb_build_object('message', jsonb_build_object('also', jsonb_agg(o.value -> 'id'))) INTO v_message
    FROM jsonb_array_elements(p -> 'orders') WITH ORDINALITY o WHERE o.ordinality > 1;
    FOR v_order IN SELECT o.value FROM jsonb_array_elements(p -> 'orders') WITH ORDINALITY o ORDER BY o.ordinality LOOP
        -- A booking that repeats is confirmed by one message.
        PERFORM create_order(p_tenant, v_order || v_actor || v_language || v_contact || v_message);
        v_message := '{"message": false}';
    END LOOP;
    IF p -> 'series' <> 'null' THEN
        PERFORM notify_members(p_tenant, ARRAY(
            SELECT (o.value ->> 'id')::uuid FROM jsonb_array_elements(p -> 'orders') o), 'new', p -> 'actor');
    END IF;
    DELETE FROM holds WHERE tenant_id = p_tenant AND id = (p ->> 'hold_id')::uuid;
    RETURN (p #>> '{orders,0,id}')::uuid;
END $$;
