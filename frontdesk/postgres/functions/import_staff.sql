-- Writes the staff of some rows of an import, as import_customers does for customers.
CREATE OR REPLACE FUNCTION import_staff(p_tenant uuid, p jsonb) RETURNS integer LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_import uuid := (p ->> 'id')::uuid;
    v_first integer := (p ->> 'first')::integer;
    v_last integer := (p ->> 'last')::integer;
    v_at timestamptz := (p ->> 'at')::timestamptz;
    v_expected integer;
    v_changed integer;
    v_new integer;
    r import_outcomes;
BEGIN
    PERFORM FROM branches WHERE tenant_id = p_tenant AND id = (
        -- as in save_staff_member
        SELECT branch_id FROM imports WHERE tenant_id = p_tenant AND id = v_import) FOR SHARE;
    PERFORM remember_import_documents(p_tenant, p, 'staff_document');
    -- With o.tenant_id Citus writes them on their node, and a violated constraint keeps its SQLSTATE.
    INSERT INTO staff (tenant_id, id, branch_id, name, name_search, phone, phone_country, email, active, created_at,
        updated_at)
    SELECT o.tenant_id, o.subject_id, a.branch_id, a.name, a.name_search, a.phone, a.phone_country, a.email, a.active,
        v_at,
        v_at
    FROM import_outcomes o, jsonb_populate_record(NULL::staff, o.after) a
    WHERE o.tenant_id = p_tenant AND o.import_id = v_import AND o.number BETWEEN v_first AND v_last
        AND o.outcome = 'new';
    GET DIAGNOSTICS v_new = ROW_COUNT;
    -- The lock of the row keeps new bookings away, as in set_staff_active.
    PERFORM FROM staff s JOIN import_outcomes o ON o.tenant_id = p_tenant AND o.subject_id = s.id
    WHERE o.import_id = v_import AND o.number BETWEEN v_first AND v_last AND o.outcome = 'changed'
        AND s.tenant_id = p_tenant ORDER BY s.id FOR NO KEY UPDATE OF s;
    IF EXISTS (
        SELECT FROM import_outcomes o
        WHERE o.tenant_id = p_tenant AND o.import_id = v_import AND o.number BETWEEN v_first AND v_last
            AND o.outcome = 'changed' AND has_coming_bookings(p_tenant, o.subject_id)
            AND ((o.before ->> 'active')::boolean AND NOT (o.after ->> 'active')::boolean
                OR o.after -> 'hours' IS DISTINCT FROM o.before -> 'hours'))
    THEN
        PERFORM raise_outdated();
    END IF;
    SELECT count(*) INTO v_expected FROM import_outcomes o
    WHERE o.tenant_id = p_tenant AND o.import_id = v_import AND o.number BETWEEN v_first AND v_last
        AND o.outcome = 'changed';
    UPDATE staff s SET name = a.name, name_search = a.name_search, phone = a.phone, phone_country = a.phone_country,
        email = a.email, active = a.active, version = s.version + 1, updated_at = v_at
    FROM import_outcomes o, jsonb_populate_record(NULL::staff, o.after) a
    WHERE o.tenant_id = p_tenant AND o.import_id = v_import AND o.number BETWEEN v_first AND v_last
        AND o.outcome = 'changed' AND s.tenant_id = p_tenant AND s.id = o.subject_id AND s.updated_at = o.seen_at;
    GET DIAGNOSTICS v_changed = ROW_COUNT;
    IF v_changed < v_expected THEN
        PERFORM raise_outdated();
    END IF;
    INSERT INTO staff_services (tenant_id, staff_id, item_id)
    SELECT p_tenant, o.subject_id, i.id FROM import_outcomes o, jsonb_object_keys(o.after -> 'services') AS k (id)
    JOIN items i ON i.tenant_id = p_tenant AND i.id = k.id::uuid
    WHERE o.tenant_id = p_tenant AND o.import_id = v_import AND o.number BETWEEN v_first AND v_last
        AND o.outcome IN ('new', 'changed')
    ON CONFLICT DO NOTHING;
    FOR r IN SELECT * FROM import_outcomes
        WHERE tenant_id = p_tenant AND import_id = v_import AND number BETWEEN v_first AND v_last
            AND outcome IN ('new', 'changed') AND after ? 'hours'
            AND after -> 'hours' IS DISTINCT FROM before -> 'hours'
    LOOP
        IF staff_hours(p_tenant, r.subject_id) IS DISTINCT FROM nullif(r.before -> 'hours', 'null') THEN
            PERFORM raise_outdated();
        END IF;
        PERFORM set_imported_hours(p_tenant, r.subject_id, r.after, p -> 'actor');
    END LOOP;
    PERFORM prepare_import_events(p_tenant, p, ARRAY['staff.created', 'staff.updated', 'staff.deleted'],
        'staff_document');
    RETURN v_new + v_changed;
END $$;
