-- Takes back some rows of an import, as undo_imported_customers does for customers. A provider with bookings,
-- services, hours, time off or a sign-in is in use.
CREATE OR REPLACE FUNCTION undo_imported_staff(p_tenant uuid, p jsonb) RETURNS integer LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_import uuid := (p ->> 'id')::uuid;
    v_first integer := (p ->> 'first')::integer;
    v_last integer := (p ->> 'last')::integer;
    v_at timestamptz := (p ->> 'at')::timestamptz;
    v_rows integer;
BEGIN
    PERFORM FROM staff s JOIN import_outcomes o ON o.tenant_id = p_tenant AND o.subject_id = s.id
    WHERE o.import_id = v_import AND o.number BETWEEN v_first AND v_last AND o.outcome IN ('new', 'changed')
        AND s.tenant_id = p_tenant ORDER BY s.id FOR UPDATE OF s;
    UPDATE import_outcomes o SET event_id = NULL, event = NULL, undone = (SELECT CASE
        WHEN s.updated_at <> v_at OR (o.outcome = 'changed' AND o.after ? 'hours'
            AND o.after -> 'hours' IS DISTINCT FROM o.before -> 'hours'
            AND staff_hours(p_tenant, s.id) IS DISTINCT FROM o.after -> 'hours') THEN 'changed'
        WHEN o.outcome = 'changed' AND (NOT (o.before ->> 'active')::boolean
            OR o.after -> 'hours' IS DISTINCT FROM o.before -> 'hours') AND has_coming_bookings(p_tenant, s.id)
            THEN 'used'
        WHEN o.outcome = 'changed' THEN 'restored'
        WHEN EXISTS (SELECT FROM order_lines l WHERE l.tenant_id = p_tenant AND l.staff_id = s.id)
            OR EXISTS (SELECT FROM bookings b WHERE b.tenant_id = p_tenant AND b.staff_id = s.id)
            OR EXISTS (SELECT FROM tips t WHERE t.tenant_id = p_tenant AND t.staff_id = s.id)
            OR EXISTS (SELECT FROM waiting_list w WHERE w.tenant_id = p_tenant AND w.staff_id = s.id)
            OR EXISTS (SELECT FROM commission_rates r WHERE r.tenant_id = p_tenant AND r.staff_id = s.id)
            OR staff_hours(p_tenant, s.id) IS DISTINCT FROM o.after -> 'hours'
            OR EXISTS (SELECT FROM hour_exceptions e WHERE e.tenant_id = p_tenant AND e.staff_id = s.id)
            OR EXISTS (SELECT FROM memberships m WHERE m.tenant_id = p_tenant AND m.staff_id = s.id)
            OR EXISTS (SELECT FROM time_off t WHERE t.tenant_id = p_tenant AND t.staff_id = s.id)
            OR EXISTS (SELECT FROM staff_services v WHERE v.tenant_id = p_tenant AND v.staff_id = s.id
                AND NOT coalesce(o.after -> 'services' ? v.item_id::text, false)) THEN 'used'
        ELSE 'removed' END)
    FROM staff s
    WHERE o.tenant_id = p_tenant AND o.import_id = v_import AND o.number BETWEEN v_first AND v_last
        AND o.outcome IN ('new', 'changed') AND s.tenant_id = p_tenant AND s.id = o.subject_id;
    GET DIAGNOSTICS v_rows = ROW_COUNT;
    PERFORM remember_import_documents(p_tenant, p, 'staff_document');
    DELETE FROM staff s USING import_outcomes o
    WHERE o.tenant_id = p_tenant AND o.import_id = v_import AND o.number BETWEEN v_first AND v_last
        AND o.undone = 'removed' AND s.tenant_id = p_tenant AND s.id = o.subject_id;
    DELETE FROM staff_services v USING import_outcomes o
    WHERE o.tenant_id = p_tenant AND o.import_id = v_import AND o.number BETWEEN v_first AND v_last
        AND o.undone = 'restored' AND v.tenant_id = p_tenant AND v.staff_id = o.subject_id
        AND o.after -> 'services' ? v.item_id::text AND NOT coalesce(o.before -> 'services' ? v.item_id::text, false);
    UPDATE staff s SET name = b.name, name_search = b.name_search, phone = b.phone, phone_country = b.phone_country,
        email = b.email, active = b.active, version = s.version + 1,
        schedule_version = s.schedule_version + 1, updated_at = monotonic_now(s.updated_at)
    FROM import_outcomes o, jsonb_populate_record(NULL::staff, o.before) b
    WHERE o.tenant_id = p_tenant AND o.import_id = v_import AND o.number BETWEEN v_first AND v_last
        AND o.undone = 'restored' AND s.tenant_id = p_tenant AND s.id = o.subject_id;
    PERFORM set_imported_hours(p_tenant, o.subject_id, o.before, p -> 'actor') FROM import_outcomes o
    WHERE o.tenant_id = p_tenant AND o.import_id = v_import AND o.number BETWEEN v_first AND v_last
        AND o.undone = 'restored' AND o.after -> 'hours' IS DISTINCT FROM o.before -> 'hours';
    PERFORM prepare_import_events(p_tenant, p, ARRAY['staff.created', 'staff.updated', 'staff.deleted'],
        'staff_document');
    RETURN v_rows;
END $$;
