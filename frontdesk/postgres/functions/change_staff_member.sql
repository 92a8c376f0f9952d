-- Changes a staff member who has not changed since they were read, and returns their id: their details, their branch,
-- whether they work here, and with `services` what they perform. One who has coming bookings stays, and stays in the
-- branch. The locks are those of save_staff_member.
CREATE OR REPLACE FUNCTION change_staff_member(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_id uuid := (p ->> 'id')::uuid;
    v_branch uuid := (p ->> 'branch_id')::uuid;
    v_active boolean := (p ->> 'active')::boolean;
    v_sets_services boolean := jsonb_typeof(p -> 'services') = 'array';
    v_before staff;
    v_after staff;
    v_services_before jsonb := staff_services_json(p_tenant, v_id);
    v_published json := staff_document(p_tenant, v_id);
BEGIN
    PERFORM FROM branches WHERE tenant_id = p_tenant AND id = v_branch FOR SHARE;
    SELECT * INTO v_before FROM staff WHERE tenant_id = p_tenant AND id = v_id FOR NO KEY UPDATE;
    IF v_before.version IS DISTINCT FROM (p ->> 'version')::integer
        OR (v_before.branch_id <> v_branch OR v_before.active AND NOT v_active) AND has_coming_bookings(p_tenant, v_id)
    THEN
        PERFORM raise_outdated();
    END IF;
    IF v_before.branch_id <> v_branch THEN
        PERFORM change_schedules(p_tenant, NULL, v_id);
    END IF;
    IF v_sets_services THEN
        PERFORM write_staff_services(p_tenant, v_id, p -> 'services');
    END IF;
    UPDATE staff SET branch_id = v_branch, name = p ->> 'name', names = coalesce(p -> 'names', names),
        name_search = p ->> 'name_search', title = p -> 'title', phone = p ->> 'phone',
        phone_country = p ->> 'phone_country', email = p ->> 'email', active = v_active,
        version = version + 1, schedule_version = schedule_version + v_sets_services::integer,
        updated_at = monotonic_now(updated_at)
    WHERE tenant_id = p_tenant AND id = v_id RETURNING * INTO v_after;
    PERFORM record_activity(p_tenant, p -> 'actor', 'staff_member.updated', v_id, v_after.name,
        to_jsonb(v_before) || jsonb_build_object('services', v_services_before),
        to_jsonb(v_after) || jsonb_build_object('services', staff_services_json(p_tenant, v_id)));
    PERFORM emit_change(p_tenant, 'staff.updated', v_published, staff_document(p_tenant, v_id));
    RETURN v_id;
END $$;
