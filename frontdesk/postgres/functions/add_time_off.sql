-- Adds time off of a staff member, approved or only requested, and returns its id.
CREATE OR REPLACE FUNCTION add_time_off(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    o time_off;
BEGIN
    IF p ->> 'status' = 'approved' THEN
        PERFORM change_schedules(p_tenant, NULL, (p ->> 'staff_id')::uuid);
    END IF;
    INSERT INTO time_off (tenant_id, id, staff_id, during, note, status)
    VALUES (p_tenant, (p ->> 'id')::uuid, (p ->> 'staff_id')::uuid,
        tstzrange((p ->> 'start')::timestamptz, (p ->> 'end')::timestamptz), p ->> 'note', p ->> 'status')
    RETURNING * INTO o;
    PERFORM record_activity(
        p_tenant, p -> 'actor', 'time_off.created', o.staff_id, p ->> 'name', NULL, time_off_json(o));
    PERFORM emit_change(p_tenant, 'time_off.created', NULL, time_off_document(p_tenant, o.id));
    RETURN o.id;
END $$;
