-- Locks a staff member, or a branch and then all its staff, by id. Until the transaction ends no other transaction
-- books them or changes their hours.
CREATE OR REPLACE FUNCTION lock_schedules(p_tenant uuid, p_branch uuid, p_staff uuid) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM FROM branches WHERE tenant_id = p_tenant AND id = p_branch FOR NO KEY UPDATE;
    PERFORM FROM staff WHERE tenant_id = p_tenant AND (branch_id = p_branch OR id = p_staff)
    ORDER BY id FOR NO KEY UPDATE;
END $$;
