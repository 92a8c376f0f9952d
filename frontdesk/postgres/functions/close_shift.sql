-- Stores the count of a cashier's shift, ends it, and returns the id of the close. Nothing may have been paid or moved
-- since it was read: the counters and the number of tips are those that were read, and the shift is still open. What
-- is paid later gets a later time.
CREATE OR REPLACE FUNCTION close_shift(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_closed timestamptz := (p ->> 'closed_at')::timestamptz;
    s drawer_sessions;
BEGIN
    PERFORM lock_day_counters(p_tenant);
    SELECT * INTO s FROM drawer_sessions WHERE tenant_id = p_tenant AND id = (p ->> 'session_id')::uuid;
    IF s.closed_at IS NOT NULL
        OR last_number(p_tenant, 'transaction_no') <> (p ->> 'transaction_no')::bigint
        OR last_number(p_tenant, 'drawer_number') <> (p ->> 'drawer_number')::bigint
        OR (SELECT count(*) FROM tips WHERE tenant_id = p_tenant AND created_at >= s.counts_from)
            <> (p ->> 'tip_count')::bigint THEN
        PERFORM raise_outdated();
    END IF;
    UPDATE tenant_counters SET assigned_at = greatest(assigned_at, v_closed)
    WHERE tenant_id = p_tenant AND name IN ('drawer_number', 'order_number', 'transaction_no');
    INSERT INTO shift_closes (tenant_id, id, session_id, drawer, methods, note, closed_by_type, closed_by_id, closed_at)
    VALUES (p_tenant, (p ->> 'id')::uuid, s.id, p -> 'drawer', p -> 'methods', p ->> 'note', p #>> '{actor,type}',
        (p #>> '{actor,id}')::uuid, v_closed);
    UPDATE drawer_sessions SET closed_at = v_closed WHERE tenant_id = p_tenant AND id = s.id;
    PERFORM record_activity(p_tenant, p -> 'actor', 'shift.closed', s.id, p ->> 'cashier', NULL,
        jsonb_build_object('counted', p #> '{drawer,counted}', 'expected', p #> '{drawer,expected}',
            'note', p -> 'note'));
    RETURN (p ->> 'id')::uuid;
END $$;
