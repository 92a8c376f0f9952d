-- Hours, closed days and days with other hours can be deleted, so the time of a change is that of their branch or staff
-- member. Its row is locked already (lock_schedules).
CREATE OR REPLACE FUNCTION touch_hours_owner(p_tenant uuid, p_branch uuid, p_staff uuid) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    UPDATE branches SET updated_at = monotonic_now(updated_at) WHERE tenant_id = p_tenant AND id = p_branch;
    UPDATE staff SET updated_at = monotonic_now(updated_at) WHERE tenant_id = p_tenant AND id = p_staff;
END $$;
