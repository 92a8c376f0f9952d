-- Approves or declines time off that has not changed since it was read, or deletes it where `status` is null. Returns
-- its id.
CREATE OR REPLACE FUNCTION decide_time_off(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_id uuid := (p ->> 'id')::uuid;
    v_before time_off;
    v_after time_off;
    v_published json;
BEGIN
    PERFORM change_schedules(p_tenant, NULL, (p ->> 'staff_id')::uuid);
    SELECT * INTO v_before FROM time_off WHERE tenant_id = p_tenant AND id = v_id FOR NO KEY UPDATE;
    IF v_before.version IS DISTINCT FROM (p ->> 'version')::integer THEN
        PERFORM raise_outdated();
    END IF;
    v_published := time_off_document(p_tenant, v_id);
    IF p ->> 'status' IS NULL THEN
        DELETE FROM time_off WHERE tenant_id = p_tenant AND id = v_id;
        PERFORM record_activity(p_tenant, p -> 'actor', 'time_off.deleted', v_before.staff_id, p ->> 'name',
            time_off_json(v_before), NULL);
        PERFORM emit_change(p_tenant, 'time_off.deleted', v_published, NULL);
        RETURN v_id;
    END IF;
    UPDATE time_off SET status = p ->> 'status', version = version + 1, updated_at = monotonic_now(updated_at)
    WHERE tenant_id = p_tenant AND id = v_id RETURNING * INTO v_after;
    PERFORM record_activity(p_tenant, p -> 'actor', 'time_off.' || v_after.status, v_before.staff_id, p ->> 'name',
        time_off_json(v_before), time_off_json(v_after));
    PERFORM emit_change(p_tenant, 'time_off.updated', v_published, time_off_document(p_tenant, v_id));
    RETURN v_id;
END $$;
