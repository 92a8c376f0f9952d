-- Takes the last close of a day back, opens its drawer again, and returns the id of the close, which stays as it was.
-- Its time belongs to the next close of the day, as do the shifts that were closed before it. Not possible once the
-- drawer has been opened anew: its float is what this close left.
CREATE OR REPLACE FUNCTION reopen_day(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_close uuid := (p ->> 'id')::uuid;
    d day_closes;
BEGIN
    PERFORM lock_day_counters(p_tenant);
    PERFORM next_number(p_tenant, 'drawer_number'); -- a float or a movement that was decided before is outdated
    SELECT * INTO d FROM day_closes WHERE tenant_id = p_tenant AND id = v_close;
    IF v_close IS DISTINCT FROM (
            SELECT id FROM standing_day_closes WHERE tenant_id = p_tenant AND branch_id = d.branch_id AND day = d.day
            ORDER BY close_number DESC LIMIT 1)
        OR EXISTS (SELECT FROM drawer_sessions
            WHERE tenant_id = p_tenant AND branch_id = d.branch_id AND opened_at >= d.closed_at
                AND (cashier_id IS NULL OR drawer = 1 AND d.drawer ->> 'session_id' IS NOT NULL)) THEN
        PERFORM raise_outdated();
    END IF;
    INSERT INTO day_reopenings (tenant_id, day_close_id, reason, reopened_by_type, reopened_by_id, reopened_at)
    VALUES (p_tenant, v_close, p ->> 'reason', p #>> '{actor,type}', (p #>> '{actor,id}')::uuid, clock_timestamp());
    UPDATE drawer_sessions SET day_close_id = NULL, closed_at = CASE WHEN cashier_id IS NOT NULL THEN closed_at END
    WHERE tenant_id = p_tenant AND day_close_id = v_close;
    PERFORM record_activity(p_tenant, p -> 'actor', 'day.reopened', v_close, d.day::text, NULL,
        jsonb_build_object('close_number', d.close_number, 'reason', p -> 'reason'));
    RETURN v_close;
END $$;
