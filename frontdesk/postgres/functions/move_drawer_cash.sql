-- Records cash in, cash out, cash to the safe, or a count of an open drawer, and returns the id of the movement. The
-- number is taken first: a day close locks the same counter, so that a movement lies before it or finds the drawer
-- closed.
CREATE OR REPLACE FUNCTION move_drawer_cash(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_session uuid := (p ->> 'session_id')::uuid;
    v_number bigint;
    v_at timestamptz;
    v_pieces integer[] := (
        SELECT array_agg(n::integer) FROM jsonb_array_elements_text(nullif(p -> 'pieces', 'null')) n);
BEGIN
    SELECT n.last, n.assigned_at INTO v_number, v_at FROM next_number(p_tenant, 'drawer_number') n;
    IF v_number <> (p ->> 'drawer_number')::bigint + 1
        OR NOT EXISTS (SELECT FROM drawer_sessions
            WHERE tenant_id = p_tenant AND id = v_session AND closed_at IS NULL) THEN
        PERFORM raise_outdated();
    END IF;
    INSERT INTO drawer_movements (tenant_id, id, number, session_id, kind, amount, reason, counted, expected, pieces,
        created_by_type, created_by_id, created_at)
    VALUES (p_tenant, (p ->> 'id')::uuid, v_number, v_session, p ->> 'kind', (p ->> 'amount')::numeric,
        p ->> 'reason', (p ->> 'counted')::numeric, (p ->> 'expected')::numeric,
        v_pieces, p #>> '{actor,type}', (p #>> '{actor,id}')::uuid, v_at);
    PERFORM record_activity(p_tenant, p -> 'actor', 'drawer.' || (p ->> 'kind'), v_session, p ->> 'branch', NULL,
        jsonb_build_object('amount', CASE WHEN p ->> 'kind' <> 'count' THEN p -> 'amount' END, 'reason', p -> 'reason',
            'counted', p -> 'counted', 'expected', p -> 'expected'));
    RETURN (p ->> 'id')::uuid;
END $$;
