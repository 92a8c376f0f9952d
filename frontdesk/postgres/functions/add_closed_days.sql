-- Closes a branch on some days and returns its id. A day that is closed already gets the new note.
CREATE OR REPLACE FUNCTION add_closed_days(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_branch uuid := (p ->> 'branch_id')::uuid;
    v_published json;
BEGIN
    PERFORM change_schedules(p_tenant, v_branch, NULL);
    v_published := closed_days_document(p_tenant, v_branch);
    INSERT INTO closed_days (tenant_id, branch_id, day, note)
    SELECT p_tenant, v_branch, d.day::date, p ->> 'note' FROM jsonb_array_elements_text(p -> 'days') AS d (day)
    ON CONFLICT (tenant_id, branch_id, day) DO UPDATE SET note = excluded.note;
    PERFORM touch_hours_owner(p_tenant, v_branch, NULL);
    PERFORM record_activity(p_tenant, p -> 'actor', 'closed_day.created', v_branch, p ->> 'name', NULL,
        jsonb_build_object('days', p -> 'days', 'note', p -> 'note'));
    PERFORM emit_change(p_tenant, 'closed_days.updated', v_published, closed_days_document(p_tenant, v_branch));
    RETURN v_branch;
END $$;
