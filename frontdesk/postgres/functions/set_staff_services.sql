-- Replaces the services that a staff member performs, and returns their id.
CREATE OR REPLACE FUNCTION set_staff_services(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_id uuid := (p ->> 'id')::uuid;
    v_name text;
    v_before jsonb;
    v_version integer;
    v_published json;
BEGIN
    SELECT name, version INTO v_name, v_version FROM staff WHERE tenant_id = p_tenant AND id = v_id FOR NO KEY UPDATE;
    IF v_version IS DISTINCT FROM (p ->> 'version')::integer THEN
        PERFORM raise_outdated();
    END IF;
    v_before := staff_services_json(p_tenant, v_id);
    v_published := staff_document(p_tenant, v_id);
    PERFORM write_staff_services(p_tenant, v_id, p -> 'services');
    UPDATE staff SET version = version + 1, schedule_version = schedule_version + 1,
        updated_at = monotonic_now(updated_at)
    WHERE tenant_id = p_tenant AND id = v_id;
    PERFORM record_activity(p_tenant, p -> 'actor', 'staff_member.services_changed', v_id, v_name,
        jsonb_build_object('services', v_before), jsonb_build_object('services', staff_services_json(p_tenant, v_id)));
    PERFORM emit_change(p_tenant, 'staff.updated', v_published, staff_document(p_tenant, v_id));
    RETURN v_id;
END $$;
