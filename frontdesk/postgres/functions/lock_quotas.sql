-- Locks the quotas of a tenant until the transaction ends, so that two concurrent inserts cannot exceed them,
-- and returns the tenant's plan. It is an advisory lock: changes of configuration lock the tenant's row last.
CREATE OR REPLACE FUNCTION lock_quotas(p_tenant uuid) RETURNS text LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_plan text;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('quotas of ' || p_tenant::text, 0));
    SELECT plan INTO v_plan FROM tenants WHERE id = p_tenant;
    RETURN v_plan;
END $$;
