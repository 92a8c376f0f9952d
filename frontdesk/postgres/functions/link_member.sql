-- Links a member of the team to the staff member that they are, neither of whom has a link yet. Returns the staff
-- member's id.
CREATE OR REPLACE FUNCTION link_member(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_user uuid := (p ->> 'user_id')::uuid;
    v_before staff;
    v_after staff;
BEGIN
    SELECT * INTO v_before FROM staff WHERE tenant_id = p_tenant AND id = (p ->> 'staff_id')::uuid FOR NO KEY UPDATE;
    UPDATE memberships SET staff_id = v_before.id
    WHERE tenant_id = p_tenant AND user_id = v_user AND staff_id IS NULL AND v_before.active AND NOT EXISTS (
        SELECT FROM memberships o WHERE o.tenant_id = p_tenant AND o.staff_id = v_before.id);
    IF NOT FOUND THEN
        PERFORM raise_outdated();
    END IF;
    UPDATE staff SET version = version + 1, updated_at = monotonic_now(updated_at)
    WHERE tenant_id = p_tenant AND id = v_before.id RETURNING * INTO v_after;
    PERFORM record_activity(p_tenant, p -> 'actor', 'staff_member.updated', v_after.id, v_after.name,
        to_jsonb(v_before) || jsonb_build_object('signs_in_as', NULL),
        to_jsonb(v_after) || jsonb_build_object('signs_in_as', (SELECT email FROM users WHERE id = v_user)));
    RETURN v_after.id;
END $$;
