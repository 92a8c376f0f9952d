-- Takes back some rows of an import: customers that it created are removed, changed ones get their old values. A customer
-- who was changed since, or who has orders or notes, is kept, and `undone` says why.
CREATE OR REPLACE FUNCTION undo_imported_customers(p_tenant uuid, p jsonb) RETURNS integer LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_import uuid := (p ->> 'id')::uuid;
    v_first integer := (p ->> 'first')::integer;
    v_last integer := (p ->> 'last')::integer;
    v_at timestamptz := (p ->> 'at')::timestamptz;
    v_rows integer;
BEGIN
    PERFORM FROM customers c JOIN import_outcomes o ON o.tenant_id = p_tenant AND o.subject_id = c.id
    WHERE o.import_id = v_import AND o.number BETWEEN v_first AND v_last AND o.outcome IN ('new', 'changed')
      AND c.tenant_id = p_tenant ORDER BY c.id FOR UPDATE OF c;
    UPDATE import_outcomes o SET event_id = NULL, event = NULL, undone = CASE
        WHEN c.updated_at <> v_at THEN 'changed'
        WHEN o.outcome = 'changed' THEN 'restored'
        WHEN EXISTS (SELECT FROM orders r WHERE r.tenant_id = p_tenant AND r.customer_id = c.id)
          OR EXISTS (SELECT FROM customer_notes n WHERE n.tenant_id = p_tenant AND n.customer_id = c.id)
          OR EXISTS (SELECT FROM customer_consents n WHERE n.tenant_id = p_tenant AND n.customer_id = c.id)
          OR EXISTS (SELECT FROM waiting_list n WHERE n.tenant_id = p_tenant AND n.customer_id = c.id)
          OR EXISTS (SELECT FROM merged_customers m WHERE m.tenant_id = p_tenant AND m.into_id = c.id) THEN 'used'
        ELSE 'removed' END
    FROM customers c
    WHERE o.tenant_id = p_tenant AND o.import_id = v_import AND o.number BETWEEN v_first AND v_last
      AND o.outcome IN ('new', 'changed') AND c.tenant_id = p_tenant AND c.id = o.subject_id;
    GET DIAGNOSTICS v_rows = ROW_COUNT;
    DELETE FROM customers c USING import_outcomes o
    WHERE o.tenant_id = p_tenant AND o.import_id = v_import AND o.number BETWEEN v_first AND v_last
      AND o.undone = 'removed' AND c.tenant_id = p_tenant AND c.id = o.subject_id;
    UPDATE customers c SET first_name = b.first_name, last_name = b.last_name, name_search = b.name_search,
        email = b.email, phone = b.phone, phone_country = b.phone_country, type = b.type, city = b.city,
        address = b.address, note = b.note, tax_registration_number = b.tax_registration_number,
        version = c.version + 1, updated_at = next_time(c.updated_at)
    FROM import_outcomes o, jsonb_populate_record(NULL::customers, o.before) b
    WHERE o.tenant_id = p_tenant AND o.import_id = v_import AND o.number BETWEEN v_first AND v_last
      AND o.undone = 'restored' AND c.tenant_id = p_tenant AND c.id = o.subject_id;
    DELETE FROM customer_tags t USING import_outcomes o
    WHERE o.tenant_id = p_tenant AND o.import_id = v_import AND o.number BETWEEN v_first AND v_last
      AND o.undone = 'restored' AND t.tenant_id = p_tenant AND t.customer_id = o.subject_id
      AND NOT o.before -> 'tags' ? t.tag_id::text;
    UPDATE import_outcomes o SET event_id = uuid_v7(clock_timestamp()), event_type = 'customer.updated',
        event = json_build_object('customer', customer_document(p_tenant, o.subject_id))
    WHERE o.tenant_id = p_tenant AND o.import_id = v_import AND o.number BETWEEN v_first AND v_last
      AND o.undone = 'restored';
    RETURN v_rows;
END $$;
