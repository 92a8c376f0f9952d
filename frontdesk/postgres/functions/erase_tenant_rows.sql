-- A part of `erase_tenant_batch`: the next rows after `p_after` by id, which it returns. 1: customers, 2: customers who
-- were merged into others, 3: orders, which stay, without their notes.
CREATE OR REPLACE FUNCTION erase_tenant_rows(p_tenant uuid, p_kind smallint, p_after uuid,
    p_limit integer) RETURNS uuid[]
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_after uuid := coalesce(p_after, '00000000-0000-0000-0000-000000000000');
    v_ids uuid[];
BEGIN
    IF p_kind = 1 THEN
        v_ids := ARRAY(SELECT id FROM customers WHERE tenant_id = p_tenant AND id > v_after ORDER BY id LIMIT p_limit);
        UPDATE customers SET first_name = '-', last_name = NULL, name_search = '-', email = NULL, phone = NULL,
            phone_country = NULL, city = NULL, address = NULL, note = NULL, tax_registration_number = NULL,
            birthday = NULL, allergies = NULL, favorite_staff_id = NULL, blocked = true, blocked_reason = NULL,
            account_limit = NULL, language = NULL, erased_at = now(), version = version + 1,
            updated_at = monotonic_now(updated_at)
        WHERE tenant_id = p_tenant AND id = ANY (v_ids);
    ELSIF p_kind = 2 THEN
        v_ids := ARRAY(SELECT id FROM merged_customers WHERE tenant_id = p_tenant AND id > v_after
            ORDER BY id LIMIT p_limit);
    ELSE
        v_ids := ARRAY(SELECT id FROM orders WHERE tenant_id = p_tenant AND id > v_after ORDER BY id LIMIT p_limit);
        PERFORM redact_order_notes(p_tenant, v_ids);
        RETURN v_ids;
    END IF;
    PERFORM redact_activity(p_tenant, subject) FROM unnest(v_ids) subject;
    RETURN v_ids;
END $$;
