-- Takes back some rows of an import: customers that it created are removed, changed ones get their old values. A
-- customer who was changed since, or who has orders or notes, is kept, and `undone` says why. Customers are found one
-- by one, by the primary key: while the statistics are older than the run, a join reads all customers of the tenant for
-- each batch.
CREATE OR REPLACE FUNCTION undo_imported_customers(p_tenant uuid,
    p jsonb) RETURNS integer LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_import uuid := (p ->> 'id')::uuid;
    v_first integer := (p ->> 'first')::integer;
    v_last integer := (p ->> 'last')::integer;
    v_at timestamptz := (p ->> 'at')::timestamptz;
    v_rows integer;
    v_row record;
BEGIN
    FOR v_row IN SELECT subject_id FROM import_outcomes
        WHERE tenant_id = p_tenant AND import_id = v_import AND outcome IN ('new', 'changed')
            AND number BETWEEN v_first AND v_last
        ORDER BY subject_id
    LOOP
        PERFORM FROM customers WHERE tenant_id = p_tenant AND id = v_row.subject_id FOR UPDATE;
    END LOOP;
    UPDATE import_outcomes o SET event_id = NULL, event = NULL, undone = (
        SELECT CASE
            WHEN c.updated_at <> v_at THEN 'changed'
            WHEN o.outcome = 'changed' THEN 'restored'
            WHEN coalesce(
                (SELECT true FROM orders r WHERE r.tenant_id = p_tenant AND r.customer_id = c.id LIMIT 1),
                (SELECT true FROM customer_notes n WHERE n.tenant_id = p_tenant AND n.customer_id = c.id LIMIT 1),
                (SELECT true FROM customer_consents n WHERE n.tenant_id = p_tenant AND n.customer_id = c.id LIMIT 1),
                (SELECT true FROM photo_consents n WHERE n.tenant_id = p_tenant AND n.customer_id = c.id LIMIT 1),
                (SELECT true FROM waiting_list n WHERE n.tenant_id = p_tenant AND n.customer_id = c.id LIMIT 1),
                (SELECT true FROM merged_customers m WHERE m.tenant_id = p_tenant AND m.into_id = c.id LIMIT 1),
                false) THEN 'used'
            ELSE 'removed' END
        FROM customers c WHERE c.tenant_id = p_tenant AND c.id = o.subject_id)
    WHERE o.tenant_id = p_tenant AND o.import_id = v_import AND o.outcome IN ('new', 'changed')
        AND o.number BETWEEN v_first AND v_last;
    GET DIAGNOSTICS v_rows = ROW_COUNT;
    PERFORM remember_import_documents(p_tenant, p, 'customer_document');
    FOR v_row IN SELECT number, subject_id, before, undone FROM import_outcomes
        WHERE tenant_id = p_tenant AND import_id = v_import AND outcome IN ('new', 'changed')
            AND number BETWEEN v_first AND v_last
    LOOP
        IF v_row.undone = 'removed' THEN
            DELETE FROM customers WHERE tenant_id = p_tenant AND id = v_row.subject_id;
        ELSIF v_row.undone = 'restored' THEN
            UPDATE customers c SET first_name = b.first_name, last_name = b.last_name, name_search = b.name_search,
                email = b.email, phone = b.phone, phone_country = b.phone_country, type = b.type, city = b.city,
                address = b.address, note = b.note, tax_registration_number = b.tax_registration_number,
                birthday = CASE WHEN v_row.before ? 'birthday' THEN b.birthday ELSE c.birthday END,
                allergies = CASE WHEN v_row.before ? 'allergies' THEN b.allergies ELSE c.allergies END,
                favorite_staff_id = CASE WHEN v_row.before ? 'favorite_staff_id' THEN b.favorite_staff_id
                    ELSE c.favorite_staff_id END,
                version = c.version + 1, updated_at = monotonic_now(c.updated_at)
            FROM jsonb_populate_record(NULL::customers, v_row.before) b
            WHERE c.tenant_id = p_tenant AND c.id = v_row.subject_id;
            DELETE FROM customer_tags
            WHERE tenant_id = p_tenant AND customer_id = v_row.subject_id AND NOT v_row.before -> 'tags' ? tag_id::text;
        END IF;
    END LOOP;
    PERFORM prepare_import_events(p_tenant, p, ARRAY['customer.created', 'customer.updated', 'customer.deleted'],
        'customer_document');
    RETURN v_rows;
END $$;
