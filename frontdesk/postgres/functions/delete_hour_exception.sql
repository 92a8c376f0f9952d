-- Deletes other hours for one day that have not changed since they were read, and returns their id.
CREATE OR REPLACE FUNCTION delete_hour_exception(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    e hour_exceptions;
    v_published json := hour_exception_document(p_tenant, (p ->> 'id')::uuid);
BEGIN
    PERFORM change_schedules(p_tenant, (p ->> 'branch_id')::uuid, (p ->> 'staff_id')::uuid);
    DELETE FROM hour_exceptions WHERE tenant_id = p_tenant AND id = (p ->> 'id')::uuid
        AND version = (p ->> 'version')::integer RETURNING * INTO e;
    IF e.id IS NULL THEN
        PERFORM raise_outdated();
    END IF;
    PERFORM touch_hours_owner(p_tenant, e.branch_id, e.staff_id);
    PERFORM record_activity(p_tenant, p -> 'actor', 'hour_exception.deleted', coalesce(e.branch_id, e.staff_id),
        p ->> 'name', hour_exception_json(e), NULL);
    PERFORM emit_change(p_tenant, 'hour_exception.deleted', v_published, NULL);
    RETURN e.id;
END $$;
