-- Stores the totals of a part of a day, ends the session of the drawer of all, and returns the id of the close. Nothing
-- may have been sold, paid or moved since they were computed: the counters and the numbers of status changes and tips
-- are those that were read, and the close before it still stands. Later numbers are assigned after the close. Shifts of
-- the day that were closed belong to it from now on. An open one goes on.
CREATE OR REPLACE FUNCTION close_day(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_closed timestamptz := (p ->> 'closed_at')::timestamptz;
    v_number bigint;
    v_changes bigint;
    v_tips bigint;
    v_zone text := (SELECT timezone FROM tenants WHERE id = p_tenant);
    v_day_starts timestamptz := day_start((p ->> 'day')::date, v_zone);
    v_day_ends timestamptz := day_start((p ->> 'day')::date + 1, v_zone);
BEGIN
    PERFORM lock_day_counters(p_tenant);
    SELECT count(*) INTO v_changes FROM order_status_history
    WHERE tenant_id = p_tenant AND created_at >= (p ->> 'starts_at')::timestamptz;
    SELECT count(*) INTO v_tips FROM tips
    WHERE tenant_id = p_tenant AND created_at >= (p ->> 'starts_at')::timestamptz;
    IF v_changes <> (p ->> 'status_changes')::bigint OR v_tips <> (p ->> 'tip_count')::bigint
        OR last_number(p_tenant, 'order_number') <> (p ->> 'order_number')::bigint
        OR last_number(p_tenant, 'transaction_no') <> (p ->> 'transaction_no')::bigint
        OR last_number(p_tenant, 'drawer_number') <> (p ->> 'drawer_number')::bigint
        OR (p ->> 'previous_id')::uuid IS DISTINCT FROM (
            SELECT id FROM standing_day_closes
            WHERE tenant_id = p_tenant AND branch_id = (p ->> 'branch_id')::uuid AND day = (p ->> 'day')::date
            ORDER BY close_number DESC LIMIT 1) THEN
        PERFORM raise_outdated();
    END IF;
    UPDATE tenant_counters SET assigned_at = greatest(assigned_at, v_closed)
    WHERE tenant_id = p_tenant AND name IN ('drawer_number', 'order_number', 'transaction_no');
    SELECT n.last INTO v_number FROM next_number(p_tenant, 'day_close_number') n;
    INSERT INTO day_closes (tenant_id, id, close_number, branch_id, day, starts_at, ends_at, currency, cashiers,
        day_cashiers, drawer, methods, handed_over, note, closed_by_type, closed_by_id, closed_at)
    VALUES (p_tenant, (p ->> 'id')::uuid, v_number, (p ->> 'branch_id')::uuid, (p ->> 'day')::date,
        (p ->> 'starts_at')::timestamptz, (p ->> 'ends_at')::timestamptz, p ->> 'currency', p -> 'cashiers',
        p -> 'day_cashiers', nullif(p -> 'drawer', 'null'), nullif(p -> 'methods', 'null'),
        nullif(p -> 'handed_over', 'null'), p ->> 'note',
        p #>> '{actor,type}', (p #>> '{actor,id}')::uuid, v_closed);
    UPDATE drawer_sessions SET day_close_id = (p ->> 'id')::uuid, closed_at = v_closed
    WHERE tenant_id = p_tenant AND id = (p ->> 'session_id')::uuid;
    UPDATE drawer_sessions SET day_close_id = (p ->> 'id')::uuid
    WHERE tenant_id = p_tenant AND branch_id = (p ->> 'branch_id')::uuid AND cashier_id IS NOT NULL
        AND closed_at IS NOT NULL AND day_close_id IS NULL AND opened_at >= v_day_starts AND opened_at < v_day_ends;
    PERFORM record_activity(p_tenant, p -> 'actor', 'day.closed', (p ->> 'id')::uuid, p ->> 'day', NULL,
        jsonb_build_object('close_number', v_number, 'counted', p #> '{drawer,counted}',
            'expected', p #> '{drawer,expected}', 'note', p -> 'note'));
    RETURN (p ->> 'id')::uuid;
END $$;
