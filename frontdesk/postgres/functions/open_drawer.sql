-- Opens a drawer of a branch with a float and returns the id of the session: for all, or as the shift of a cashier. The
-- drawer is closed, the cashier has no other shift there, and what the last count left in it is still what was read. It
-- counts from the end of the last session that could hold the same cash or of the last close, at the earliest from the
-- start of the day: cash that was taken before the opening lies in the drawer too.
CREATE OR REPLACE FUNCTION open_drawer(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_branch uuid := (p ->> 'branch_id')::uuid;
    v_drawer smallint := coalesce((p ->> 'drawer')::smallint, 1);
    v_cashier uuid := (p ->> 'cashier_id')::uuid;
    v_number bigint;
    v_at timestamptz;
    v_day date;
    v_from timestamptz;
BEGIN
    SELECT n.last, n.assigned_at INTO v_number, v_at FROM next_number(p_tenant, 'drawer_number') n;
    IF v_number <> (p ->> 'drawer_number')::bigint + 1
        OR last_number(p_tenant, 'day_close_number') <> (p ->> 'day_close_number')::bigint
        OR EXISTS (SELECT FROM drawer_sessions
            WHERE tenant_id = p_tenant AND branch_id = v_branch AND closed_at IS NULL
                AND (drawer = v_drawer OR cashier_id = v_cashier)) THEN
        PERFORM raise_outdated();
    END IF;
    v_day := report_day(p_tenant, v_at);
    SELECT greatest(
        coalesce((SELECT max(ends_at) FROM standing_day_closes
            WHERE tenant_id = p_tenant AND branch_id = v_branch AND day BETWEEN v_day - 1 AND v_day),
            day_start(v_day, (SELECT timezone FROM tenants WHERE id = p_tenant))),
        (SELECT max(coalesce(closed_at, v_at)) FROM drawer_sessions
            WHERE tenant_id = p_tenant AND branch_id = v_branch AND (cashier_id IS NULL OR cashier_id = v_cashier)))
    INTO v_from;
    INSERT INTO drawer_sessions (tenant_id, id, branch_id, drawer, cashier_id, float_amount, left_before, float_reason,
        opened_by_type, opened_by_id, opened_at, counts_from)
    VALUES (p_tenant, (p ->> 'id')::uuid, v_branch, v_drawer, v_cashier, (p ->> 'float')::numeric,
        (p ->> 'left')::numeric, p ->> 'reason', p #>> '{actor,type}', (p #>> '{actor,id}')::uuid, v_at,
        least(v_from, v_at));
    PERFORM record_activity(p_tenant, p -> 'actor', 'drawer.opened', (p ->> 'id')::uuid, p ->> 'branch', NULL,
        jsonb_build_object('float_amount', p -> 'float', 'reason', p -> 'reason'));
    RETURN (p ->> 'id')::uuid;
END $$;
