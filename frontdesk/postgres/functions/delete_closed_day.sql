-- Opens a branch again on a day, and returns its id.
CREATE OR REPLACE FUNCTION delete_closed_day(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_branch uuid := (p ->> 'branch_id')::uuid;
    v_note text;
    v_published json := closed_days_document(p_tenant, v_branch);
BEGIN
    PERFORM lock_schedules(p_tenant, v_branch, NULL);
    DELETE FROM closed_days WHERE tenant_id = p_tenant AND branch_id = v_branch AND day = (p ->> 'day')::date
    RETURNING coalesce(note, '') INTO v_note;
    IF FOUND THEN
        PERFORM touch_hours_owner(p_tenant, v_branch, NULL);
        PERFORM record_activity(p_tenant, p -> 'actor', 'closed_day.deleted', v_branch, p ->> 'name',
            jsonb_build_object('days', jsonb_build_array(p ->> 'day'), 'note', nullif(v_note, '')), NULL);
        PERFORM emit_change(p_tenant, 'closed_days.updated', v_published, closed_days_document(p_tenant, v_branch));
    END IF;
    RETURN v_branch;
END $$;
