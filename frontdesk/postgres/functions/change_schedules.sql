-- Locks as lock_schedules does, and gives the staff a new version of their schedule: an order that was checked against
-- the old one is checked again. Called by every function that changes hours, exceptions, closed days or time off,
-- before it reads what it compares.
CREATE OR REPLACE FUNCTION change_schedules(p_tenant uuid, p_branch uuid, p_staff uuid) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM lock_schedules(p_tenant, p_branch, p_staff);
    UPDATE staff SET schedule_version = schedule_version + 1
    WHERE tenant_id = p_tenant AND (branch_id = p_branch OR id = p_staff);
END $$;
