-- Removes what is personal about a customer on request, and returns the id. Orders, transactions and invoices stay,
-- because the law requires them; the record accepts no more orders.
CREATE OR REPLACE FUNCTION erase_customer(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_id uuid := (p ->> 'id')::uuid;
    c customers;
    v_ids uuid[]; -- with those of the records that were merged into this one
    v_orders uuid[];
    v_document json; -- what is left
    v_each uuid;
    v_published json;
BEGIN
    PERFORM lock_customer_orders(p_tenant, ARRAY[v_id]);
    c := lock_customer(p_tenant, v_id, (p ->> 'version')::integer);
    v_published := customer_document(p_tenant, v_id);
    DELETE FROM customer_tags WHERE tenant_id = p_tenant AND customer_id = v_id;
    DELETE FROM customer_notes WHERE tenant_id = p_tenant AND customer_id = v_id;
    DELETE FROM customer_consents WHERE tenant_id = p_tenant AND customer_id = v_id;
    PERFORM remove_customer_photos(p_tenant, v_id);
    DELETE FROM photo_consents WHERE tenant_id = p_tenant AND customer_id = v_id;
    PERFORM record_deletion(p_tenant, 'waiting_list_entry', id, clock_timestamp()) FROM waiting_list
    WHERE tenant_id = p_tenant AND customer_id = v_id;
    DELETE FROM waiting_list WHERE tenant_id = p_tenant AND customer_id = v_id;
    DELETE FROM booking_list_links WHERE tenant_id = p_tenant AND email = lower(c.email);
    UPDATE messages SET email = NULL, phone = NULL, name = NULL, data = '{}', secret = NULL, subject = NULL,
        composed = NULL,
        state = CASE WHEN state = 'due' THEN 'dropped' ELSE state END,
        answer = CASE WHEN state = 'due' THEN 'erased' END
    WHERE tenant_id = p_tenant AND (customer_id = v_id OR lower(email) = lower(c.email));
    SELECT array_append(array_agg(id), v_id) INTO v_ids FROM merged_customers WHERE tenant_id = p_tenant
        AND into_id = v_id;
    DELETE FROM import_rows r USING import_outcomes o
    WHERE o.tenant_id = p_tenant AND o.subject_id = ANY (v_ids) AND r.tenant_id = p_tenant AND r.import_id = o.import_id
        AND r.number = o.number;
    DELETE FROM record_exports WHERE tenant_id = p_tenant; -- their files may name the customer
    DELETE FROM import_outcomes WHERE tenant_id = p_tenant AND subject_id = ANY (v_ids);
    SELECT coalesce(array_agg(id), '{}') INTO v_orders FROM orders WHERE tenant_id = p_tenant AND customer_id = v_id;
    PERFORM redact_order_notes(p_tenant, v_orders);
    UPDATE custom_data SET metadata = '{}' WHERE tenant_id = p_tenant AND kind = 'order' AND record_id = ANY (v_orders);
    UPDATE customers SET first_name = p ->> 'name', last_name = NULL, name_search = p ->> 'name_search', email = NULL,
        phone = NULL, phone_country = NULL, city = NULL, address = NULL, note = NULL, tax_registration_number = NULL,
        birthday = NULL, allergies = NULL, favorite_staff_id = NULL, blocked = true, blocked_reason = NULL,
        account_limit = NULL, language = NULL, erased_at = now(), version = version + 1,
            updated_at = monotonic_now(updated_at)
    WHERE tenant_id = p_tenant AND id = v_id;
    v_document := customer_document(p_tenant, v_id);
    PERFORM redact_customer_events(p_tenant, v_id, v_orders, v_document);
    PERFORM redact_responses(p_tenant, v_ids, v_orders, v_document);
    FOREACH v_each IN ARRAY v_ids LOOP
        PERFORM redact_activity(p_tenant, v_each);
    END LOOP;
    PERFORM record_activity(p_tenant, p -> 'actor', 'customer.erased', v_id, p ->> 'name', '{}', '{"erased": true}');
    PERFORM record_deletion(p_tenant, 'customer', v_id, clock_timestamp());
    PERFORM emit_events(p_tenant, ARRAY['customer.updated'],
                        ARRAY[change_data('customer.updated', v_published, v_document)]);
    RETURN v_id;
END $$;
