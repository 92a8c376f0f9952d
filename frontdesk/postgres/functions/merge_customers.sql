-- Merges the customer `other_id` into the customer `id`, which gets the given fields, and returns the latter's id.
-- Everything that refers to the other one moves. Its own note becomes a note in the list where the remaining one has
-- another.
CREATE OR REPLACE FUNCTION merge_customers(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_id uuid := (p ->> 'id')::uuid;
    v_other uuid := (p ->> 'other_id')::uuid;
    c customers;
    o customers;
    v_orders integer;
    v_first date;
    v_merged json := customer_document(p_tenant, (p ->> 'other_id')::uuid);
BEGIN
    PERFORM lock_customer_orders(p_tenant, ARRAY[v_other, v_id]);
    c := lock_customer(p_tenant, v_id, (p ->> 'version')::integer);
    o := lock_customer(p_tenant, v_other, (p ->> 'other_version')::integer);
    PERFORM sum_sales(p_tenant);

    UPDATE orders SET customer_id = v_id, version = version + 1, updated_at = monotonic_now(updated_at)
    WHERE tenant_id = p_tenant AND customer_id = v_other;
    GET DIAGNOSTICS v_orders = ROW_COUNT;
    INSERT INTO customer_sums AS s (tenant_id, customer_id, is_month, day, branch_id, first_day, orders, total)
    SELECT m.tenant_id, v_id, m.is_month, m.day, m.branch_id, m.first_day, m.orders, m.total FROM customer_sums m
    WHERE m.tenant_id = p_tenant AND m.customer_id = v_other
    ON CONFLICT (tenant_id, customer_id, is_month, day, branch_id) DO UPDATE
        SET orders = s.orders + excluded.orders, total = s.total + excluded.total,
            first_day = least(s.first_day, excluded.first_day);
    DELETE FROM customer_sums WHERE tenant_id = p_tenant AND customer_id = v_other;
    SELECT min(first_day) INTO v_first FROM customer_sums WHERE tenant_id = p_tenant AND customer_id = v_id;
    UPDATE customer_sums SET first_day = v_first
    WHERE tenant_id = p_tenant AND customer_id = v_id AND first_day <> v_first;
    INSERT INTO customer_tags (tenant_id, customer_id, tag_id)
    SELECT p_tenant, v_id, t.tag_id FROM customer_tags t WHERE t.tenant_id = p_tenant AND t.customer_id = v_other
    ON CONFLICT DO NOTHING;
    UPDATE customer_notes SET customer_id = v_id WHERE tenant_id = p_tenant AND customer_id = v_other;
    UPDATE waiting_list SET customer_id = v_id, updated_at = monotonic_now(updated_at)
    WHERE tenant_id = p_tenant AND customer_id = v_other;
    UPDATE messages SET customer_id = v_id WHERE tenant_id = p_tenant AND customer_id = v_other;
    UPDATE customer_consents SET customer_id = v_id WHERE tenant_id = p_tenant AND customer_id = v_other;
    -- A withdrawal also ends a consent that was given before it to the other record.
    UPDATE customer_consents k SET withdrawn_at = w.last
    FROM (SELECT max(withdrawn_at) AS last FROM customer_consents
        WHERE tenant_id = p_tenant AND customer_id = v_id) w
    WHERE k.tenant_id = p_tenant AND k.customer_id = v_id AND k.withdrawn_at IS NULL AND k.given_at < w.last;
    UPDATE customer_photos SET customer_id = v_id WHERE tenant_id = p_tenant AND customer_id = v_other;
    UPDATE photo_consents SET customer_id = v_id WHERE tenant_id = p_tenant AND customer_id = v_other;
    UPDATE photo_consents k SET withdrawn_at = w.last
    FROM (SELECT max(withdrawn_at) AS last FROM photo_consents
        WHERE tenant_id = p_tenant AND customer_id = v_id) w
    WHERE k.tenant_id = p_tenant AND k.customer_id = v_id AND k.withdrawn_at IS NULL AND k.given_at < w.last;
    IF FOUND AND NOT EXISTS (SELECT 1 FROM photo_consents
        WHERE tenant_id = p_tenant AND customer_id = v_id AND withdrawn_at IS NULL) THEN
        PERFORM remove_customer_photos(p_tenant, v_id);
    END IF;
    IF p ->> 'extra_note' IS NOT NULL THEN
        INSERT INTO customer_notes (tenant_id, id, customer_id, text, author_id)
        VALUES (p_tenant, (p ->> 'note_id')::uuid, v_id, p ->> 'extra_note',
            acting_user(p -> 'actor'));
    END IF;
    INSERT INTO customer_reads AS r (tenant_id, customer_id, caller_id, fields, first_on, last_on, days)
    SELECT m.tenant_id, v_id, m.caller_id, m.fields, m.first_on, m.last_on, m.days FROM customer_reads m
    WHERE m.tenant_id = p_tenant AND m.customer_id = v_other
    ON CONFLICT (tenant_id, customer_id, caller_id, fields) DO UPDATE
        SET first_on = least(r.first_on, excluded.first_on), last_on = greatest(r.last_on, excluded.last_on),
            days = greatest(r.days, excluded.days);
    UPDATE custom_data d SET record_id = v_id
    WHERE d.tenant_id = p_tenant AND d.kind = 'customer' AND d.record_id = v_other
        AND NOT EXISTS (SELECT 1 FROM custom_data k WHERE k.tenant_id = p_tenant AND k.kind = 'customer'
            AND k.record_id = v_id AND k.owner_id = d.owner_id);
    UPDATE merged_customers SET into_id = v_id WHERE tenant_id = p_tenant AND into_id = v_other;
    INSERT INTO merged_customers (tenant_id, id, into_id) VALUES (p_tenant, v_other, v_id);
    DELETE FROM customers WHERE tenant_id = p_tenant AND id = v_other;

    PERFORM set_customer_fields(p_tenant, v_id, p);
    UPDATE customers SET blocked = c.blocked OR o.blocked,
        blocked_reason = coalesce(c.blocked_reason, o.blocked_reason),
        language = coalesce(c.language, o.language), account_limit = greatest(c.account_limit, o.account_limit),
        reminders_stopped_at = coalesce(c.reminders_stopped_at, o.reminders_stopped_at)
    WHERE tenant_id = p_tenant AND id = v_id;
    PERFORM add_row_count(p_tenant, 'customers', -1);
    PERFORM emit_events(p_tenant, ARRAY['customer.deleted'],
                        ARRAY[json_build_object('customer', v_merged, 'merged_into', v_id)]);
    RETURN finish_customer_change(p_tenant, p -> 'actor', 'customer.merged', c, '{}',
        jsonb_build_object('merged', concat_ws(' ', o.first_name, o.last_name), 'orders_moved', v_orders));
END $$;
