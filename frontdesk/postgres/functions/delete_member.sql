-- Removes a member of a business, with the address of the calendar of the staff member that they are: it is a key that
-- they have. Returns the user's id.
CREATE OR REPLACE FUNCTION delete_member(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_staff uuid;
    v_name text;
BEGIN
    DELETE FROM memberships WHERE tenant_id = p_tenant AND user_id = (p ->> 'user_id')::uuid RETURNING staff_id
        INTO v_staff;
    DELETE FROM notifications WHERE tenant_id = p_tenant AND user_id = (p ->> 'user_id')::uuid;
    PERFORM record_activity(p_tenant, p -> 'actor', 'member.deleted', (p ->> 'user_id')::uuid, p ->> 'name',
        jsonb_build_object('role', p -> 'role'));
    DELETE FROM calendar_feeds WHERE tenant_id = p_tenant AND staff_id = v_staff;
    IF FOUND THEN
        SELECT name INTO v_name FROM staff WHERE tenant_id = p_tenant AND id = v_staff;
        PERFORM record_activity(p_tenant, p -> 'actor', 'staff_member.feed_removed', v_staff, v_name);
    END IF;
    RETURN (p ->> 'user_id')::uuid;
END $$;
