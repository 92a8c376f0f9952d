-- Writes the customers of some rows of an import. p has the import's id, the first and the last row number, and the
-- time of the run. Counts and events follow in finish_import, whose locks would block the tenant's other writers.
CREATE OR REPLACE FUNCTION import_customers(p_tenant uuid, p jsonb) RETURNS integer LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_import uuid := (p ->> 'id')::uuid;
    v_first integer := (p ->> 'first')::integer;
    v_last integer := (p ->> 'last')::integer;
    v_at timestamptz := (p ->> 'at')::timestamptz;
    v_changed integer := 0;
    v_row record;
    v_new integer;
BEGIN
    PERFORM remember_import_documents(p_tenant, p, 'customer_document');
    -- With o.tenant_id Citus writes them on their node, and a violated constraint keeps its SQLSTATE.
    INSERT INTO customers (tenant_id, id, first_name, last_name, name_search, email, phone, phone_country, type, city,
        address, note, tax_registration_number, birthday, allergies, favorite_staff_id, created_at, updated_at)
    SELECT o.tenant_id, o.subject_id, a.first_name, a.last_name, a.name_search, a.email, a.phone, a.phone_country,
        a.type, a.city, a.address, a.note, a.tax_registration_number, a.birthday, a.allergies, a.favorite_staff_id,
        v_at, v_at
    FROM import_outcomes o, jsonb_populate_record(NULL::customers, o.after) a
    WHERE o.tenant_id = p_tenant AND o.import_id = v_import AND o.number BETWEEN v_first AND v_last
        AND o.outcome = 'new'
    ORDER BY o.number;
    GET DIAGNOSTICS v_new = ROW_COUNT;
    -- By the primary key: while the statistics are old, a join reads all customers of the tenant for each batch.
    FOR v_row IN SELECT subject_id, seen_at, after FROM import_outcomes
        WHERE tenant_id = p_tenant AND import_id = v_import AND outcome = 'changed' AND number BETWEEN v_first
            AND v_last
        ORDER BY subject_id
    LOOP
        UPDATE customers c SET first_name = a.first_name, last_name = a.last_name, name_search = a.name_search,
            email = a.email, phone = a.phone, phone_country = a.phone_country, type = a.type, city = a.city,
            address = a.address, note = a.note, tax_registration_number = a.tax_registration_number,
            -- A program of the version before has checked the row without them.
            birthday = CASE WHEN v_row.after ? 'birthday' THEN a.birthday ELSE c.birthday END,
            allergies = CASE WHEN v_row.after ? 'allergies' THEN a.allergies ELSE c.allergies END,
            favorite_staff_id = CASE WHEN v_row.after ? 'favorite_staff_id' THEN a.favorite_staff_id
                ELSE c.favorite_staff_id END,
            version = c.version + 1, updated_at = v_at
        FROM jsonb_populate_record(NULL::customers, v_row.after) a
        WHERE c.tenant_id = p_tenant AND c.id = v_row.subject_id AND c.updated_at = v_row.seen_at;
        IF NOT FOUND THEN
            PERFORM raise_outdated();
        END IF;
        v_changed := v_changed + 1;
    END LOOP;
    INSERT INTO customer_tags (tenant_id, customer_id, tag_id)
    SELECT p_tenant, o.subject_id, t.key::uuid
    FROM import_outcomes o, jsonb_each_text(o.after -> 'tags') t
    WHERE o.tenant_id = p_tenant AND o.import_id = v_import AND o.number BETWEEN v_first AND v_last
        AND o.outcome IN ('new', 'changed')
    ON CONFLICT DO NOTHING;
    PERFORM prepare_import_events(p_tenant, p, ARRAY['customer.created', 'customer.updated', 'customer.deleted'],
        'customer_document');
    RETURN v_new + v_changed;
END $$;
