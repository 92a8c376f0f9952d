-- Whether a later session has the drawer or the cashier of a closed shift, or the drawer of all was counted after it.
CREATE OR REPLACE FUNCTION is_followed_shift(p_tenant uuid, p_session uuid) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
DECLARE
    s drawer_sessions;
BEGIN
    SELECT * INTO s FROM drawer_sessions WHERE tenant_id = p_tenant AND id = p_session;
    RETURN EXISTS (SELECT FROM drawer_sessions n WHERE n.tenant_id = p_tenant AND n.branch_id = s.branch_id
        AND (n.opened_at >= s.closed_at AND (n.drawer = s.drawer OR n.cashier_id = s.cashier_id)
            OR n.cashier_id IS NULL AND n.closed_at >= s.closed_at));
END $$;
