-- Creates other hours for one day, or updates them if they have not changed since they were read. Returns their id.
CREATE OR REPLACE FUNCTION save_hour_exception(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_id uuid := (p ->> 'id')::uuid;
    v_minutes int4multirange;
    v_before hour_exceptions;
    v_after hour_exceptions;
    v_published json;
BEGIN
    PERFORM change_schedules(p_tenant, (p ->> 'branch_id')::uuid, (p ->> 'staff_id')::uuid);
    SELECT coalesce(range_agg(int4range((i ->> 0)::integer, (i ->> 1)::integer)), '{}') INTO v_minutes
    FROM jsonb_array_elements(p -> 'minutes') i;
    IF p ->> 'version' IS NULL THEN
        INSERT INTO hour_exceptions (tenant_id, id, branch_id, staff_id, day, minutes, note)
        VALUES (p_tenant, v_id, (p ->> 'branch_id')::uuid, (p ->> 'staff_id')::uuid, (p ->> 'day')::date, v_minutes,
            p ->> 'note')
        RETURNING * INTO v_after;
    ELSE
        SELECT * INTO v_before FROM hour_exceptions WHERE tenant_id = p_tenant AND id = v_id FOR NO KEY UPDATE;
        IF v_before.version IS DISTINCT FROM (p ->> 'version')::integer THEN
            PERFORM raise_outdated();
        END IF;
        v_published := hour_exception_document(p_tenant, v_id);
        UPDATE hour_exceptions SET day = (p ->> 'day')::date, minutes = v_minutes, note = p ->> 'note',
            version = version + 1, updated_at = monotonic_now(updated_at)
        WHERE tenant_id = p_tenant AND id = v_id RETURNING * INTO v_after;
    END IF;
    PERFORM touch_hours_owner(p_tenant, v_after.branch_id, v_after.staff_id);
    PERFORM record_activity(p_tenant, p -> 'actor',
        CASE WHEN v_before.id IS NULL THEN 'hour_exception.created' ELSE 'hour_exception.updated' END,
        coalesce(v_after.branch_id, v_after.staff_id), p ->> 'name', hour_exception_json(v_before),
        hour_exception_json(v_after));
    PERFORM emit_change(p_tenant,
        CASE WHEN v_before.id IS NULL THEN 'hour_exception.created' ELSE 'hour_exception.updated' END, v_published,
        hour_exception_document(p_tenant, v_id));
    RETURN v_id;
END $$;
