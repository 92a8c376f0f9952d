-- Creates a staff member, with the services of the branch that they perform, or updates one who has not changed since
-- they were read. Returns their id. The member of the team whose account it is gets the link; the member who had it
-- loses it. One who has coming bookings stays in the branch. The lock of the branch keeps its hours as they are until
-- the staff member is there.
CREATE OR REPLACE FUNCTION save_staff_member(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_id uuid := (p ->> 'id')::uuid;
    v_user uuid := (p ->> 'user_id')::uuid;
    v_before staff;
    v_after staff;
    v_login_before text;
    v_published json := staff_document(p_tenant, v_id);
BEGIN
    PERFORM FROM branches WHERE tenant_id = p_tenant AND id = (p ->> 'branch_id')::uuid FOR SHARE;
    SELECT u.email INTO v_login_before FROM memberships m JOIN users u ON u.id = m.user_id
    WHERE m.tenant_id = p_tenant AND m.staff_id = v_id;
    IF p ->> 'version' IS NULL THEN
        INSERT INTO staff (tenant_id, id, branch_id, name, names, name_search, title, phone, phone_country, email,
            picture_id, sort_order)
        SELECT p_tenant, v_id, (p ->> 'branch_id')::uuid, p ->> 'name', coalesce(p -> 'names', '{}'),
            p ->> 'name_search', coalesce(p -> 'title', '{}'), p ->> 'phone', p ->> 'phone_country', p ->> 'email',
            (p ->> 'picture_id')::uuid, coalesce(max(sort_order), 0) + 1
        FROM staff WHERE tenant_id = p_tenant
        RETURNING * INTO v_after;
        INSERT INTO staff_services (tenant_id, staff_id, item_id)
        SELECT p_tenant, v_id, i.id FROM items i
        WHERE i.tenant_id = p_tenant AND i.type = 'service' AND i.branch_id = v_after.branch_id
            AND i.id IN (SELECT jsonb_array_elements_text(p -> 'services')::uuid);
    ELSE
        SELECT * INTO v_before FROM staff WHERE tenant_id = p_tenant AND id = v_id FOR NO KEY UPDATE;
        IF v_before.version IS DISTINCT FROM (p ->> 'version')::integer THEN
            PERFORM raise_outdated();
        END IF;
        IF v_before.branch_id <> (p ->> 'branch_id')::uuid THEN
            IF has_coming_bookings(p_tenant, v_id) THEN
                PERFORM raise_outdated();
            END IF;
            PERFORM change_schedules(p_tenant, NULL, v_id);
        END IF;
        UPDATE staff SET branch_id = (p ->> 'branch_id')::uuid, name = p ->> 'name',
            names = coalesce(p -> 'names', names), name_search = p ->> 'name_search',
            title = coalesce(p -> 'title', title), phone = p ->> 'phone', phone_country = p ->> 'phone_country',
            email = p ->> 'email', picture_id = (p ->> 'picture_id')::uuid, version = version + 1,
            updated_at = monotonic_now(updated_at)
        WHERE tenant_id = p_tenant AND id = v_id RETURNING * INTO v_after;
    END IF;
    PERFORM swap_picture(p_tenant, v_before.picture_id, v_after.picture_id);
    UPDATE memberships SET staff_id = NULL
    WHERE tenant_id = p_tenant AND staff_id = v_id AND user_id IS DISTINCT FROM v_user;
    UPDATE memberships SET staff_id = v_id
    WHERE tenant_id = p_tenant AND user_id = v_user AND staff_id IS DISTINCT FROM v_id;
    PERFORM record_activity(p_tenant, p -> 'actor',
        CASE WHEN v_before.id IS NULL THEN 'staff_member.created' ELSE 'staff_member.updated' END, v_id, v_after.name,
        CASE WHEN v_before.id IS NOT NULL
            THEN to_jsonb(v_before) || jsonb_build_object('signs_in_as', v_login_before) END,
        to_jsonb(v_after) || jsonb_build_object('signs_in_as', (SELECT email FROM users WHERE id = v_user))
            || CASE WHEN v_before.id IS NULL THEN jsonb_build_object('services', staff_services_json(p_tenant, v_id))
                ELSE '{}' END);
    PERFORM emit_change(p_tenant, CASE WHEN v_before.id IS NULL THEN 'staff.created' ELSE 'staff.updated' END,
        v_published, staff_document(p_tenant, v_id));
    RETURN v_id;
END $$;
