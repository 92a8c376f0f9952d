-- Opens a cashier's shift again and returns its id. Its close stays as it was, beside the next one. Not possible once
-- its day is closed, once its drawer or its cashier has another session, or once the cash that the cashier took since
-- was counted with the drawer of all.
CREATE OR REPLACE FUNCTION reopen_shift(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    s drawer_sessions;
BEGIN
    PERFORM lock_day_counters(p_tenant);
    PERFORM next_number(p_tenant, 'drawer_number'); -- a float or a close that was decided before is outdated
    SELECT * INTO s FROM drawer_sessions WHERE tenant_id = p_tenant AND id = (p ->> 'session_id')::uuid;
    IF s.closed_at IS NULL OR s.day_close_id IS NOT NULL OR is_followed_shift(p_tenant, s.id) THEN
        PERFORM raise_outdated();
    END IF;
    UPDATE drawer_sessions SET closed_at = NULL WHERE tenant_id = p_tenant AND id = s.id;
    PERFORM record_activity(p_tenant, p -> 'actor', 'shift.reopened', s.id, p ->> 'cashier', NULL,
        jsonb_build_object('reason', p -> 'reason'));
    RETURN s.id;
END $$;
