-- Replaces the weekly hours of a branch or of a staff member, and returns its id. `hours` is null where a staff member
-- shall have the branch's hours. With `silent` the caller emits the event, and
-- gives the staff member the time of the change.
CREATE OR REPLACE FUNCTION set_working_hours(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_branch uuid := (p ->> 'branch_id')::uuid;
    v_staff uuid := (p ->> 'staff_id')::uuid;
    v_hour uuid;
    v_version integer;
    v_before jsonb;
    v_after jsonb;
BEGIN
    PERFORM change_schedules(p_tenant, v_branch, v_staff);
    SELECT id, version INTO v_hour, v_version FROM working_hours
    WHERE tenant_id = p_tenant AND is_default AND (branch_id = v_branch OR staff_id = v_staff);
    IF coalesce(v_version, 0) <> (p ->> 'version')::integer THEN
        PERFORM raise_outdated();
    END IF;
    v_before := hours_json(p_tenant, v_hour);
    IF p -> 'hours' = 'null' THEN
        DELETE FROM working_hours WHERE tenant_id = p_tenant AND id = v_hour;
    ELSE
        IF v_hour IS NULL THEN
            v_hour := uuid_v7(clock_timestamp());
            INSERT INTO working_hours (tenant_id, id, branch_id, staff_id) VALUES (p_tenant, v_hour, v_branch, v_staff);
        ELSE
            UPDATE working_hours SET active = true, version = version + 1, updated_at = monotonic_now(updated_at)
            WHERE tenant_id = p_tenant AND id = v_hour;
            DELETE FROM working_intervals WHERE tenant_id = p_tenant AND working_hour_id = v_hour;
        END IF;
        UPDATE working_hours SET all_time = (p -> 'hours' ->> 'all_time')::boolean
        WHERE tenant_id = p_tenant AND id = v_hour;
        INSERT INTO working_intervals (tenant_id, id, working_hour_id, day, opens, closes)
        SELECT p_tenant, uuid_v7(clock_timestamp()), v_hour, (i ->> 0)::smallint, (i ->> 1)::smallint,
            (i ->> 2)::smallint
        FROM jsonb_array_elements(p -> 'hours' -> 'intervals') i;
        v_after := hours_json(p_tenant, v_hour);
    END IF;
    PERFORM record_activity(p_tenant, p -> 'actor', 'hours.updated', coalesce(v_branch, v_staff), p ->> 'name',
        coalesce(v_before, '{}'), coalesce(v_after, '{}'));
    IF v_before IS DISTINCT FROM v_after AND NOT coalesce((p ->> 'silent')::boolean, false) THEN
        PERFORM touch_hours_owner(p_tenant, v_branch, v_staff);
        PERFORM emit_events(p_tenant, ARRAY['working_hours.updated'],
                            ARRAY[working_hours_json(p_tenant, v_branch, v_staff)]);
    END IF;
    RETURN coalesce(v_branch, v_staff);
END $$;
