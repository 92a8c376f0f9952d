-- The number that was assigned last in a tenant's series; 0 before the first.
CREATE OR REPLACE FUNCTION last_number(p_tenant uuid, p_series text) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_last bigint;
BEGIN
    SELECT value INTO v_last FROM tenant_counters WHERE tenant_id = p_tenant AND name = p_series;
    RETURN coalesce(v_last, 0);
END $$;
