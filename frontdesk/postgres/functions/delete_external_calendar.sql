-- Forgets the calendar elsewhere of a staff member with its busy times, and returns the staff member's id.
CREATE OR REPLACE FUNCTION delete_external_calendar(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_staff uuid := (p ->> 'staff_id')::uuid;
    v_host text;
BEGIN
    SELECT host INTO v_host FROM external_calendars
    WHERE tenant_id = p_tenant AND staff_id = v_staff AND version = (p ->> 'version')::integer FOR UPDATE;
    IF NOT FOUND THEN
        PERFORM raise_outdated();
    END IF;
    DELETE FROM time_off WHERE tenant_id = p_tenant AND staff_id = v_staff AND status = 'outside';
    DELETE FROM external_calendars WHERE tenant_id = p_tenant AND staff_id = v_staff;
    PERFORM record_activity(p_tenant, p -> 'actor', 'staff_member.outside_calendar_removed', v_staff, p ->> 'name',
        jsonb_build_object('host', v_host), NULL);
    RETURN v_staff;
END $$;
