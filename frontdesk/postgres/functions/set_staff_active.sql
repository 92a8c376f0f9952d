-- Lets a staff member leave or come back, and returns their id. A provider with a coming booking cannot leave; the lock
-- of the row keeps new ones away.
CREATE OR REPLACE FUNCTION set_staff_active(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_id uuid := (p ->> 'id')::uuid;
    v_active boolean := (p ->> 'active')::boolean;
    v_before staff;
    v_after staff;
    v_published json := staff_document(p_tenant, v_id);
BEGIN
    SELECT * INTO v_before FROM staff WHERE tenant_id = p_tenant AND id = v_id FOR NO KEY UPDATE;
    IF v_before.version IS DISTINCT FROM (p ->> 'version')::integer THEN
        PERFORM raise_outdated();
    END IF;
    IF NOT v_active AND has_coming_bookings(p_tenant, v_id) THEN
        PERFORM raise_outdated();
    END IF;
    UPDATE staff SET active = v_active, version = version + 1, updated_at = monotonic_now(updated_at)
    WHERE tenant_id = p_tenant AND id = v_id RETURNING * INTO v_after;
    PERFORM record_activity(
        p_tenant, p -> 'actor', 'staff_member.updated', v_id, v_after.name, to_jsonb(v_before), to_jsonb(v_after));
    PERFORM emit_change(p_tenant, 'staff.updated', v_published, staff_document(p_tenant, v_id));
    RETURN v_id;
END $$;
