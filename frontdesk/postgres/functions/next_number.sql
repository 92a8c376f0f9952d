-- Takes the next p_count numbers of a tenant's series, without gaps. The row stays locked until the transaction ends,
-- so it is called as late as possible. `assigned_at` never runs backward: numbers and times of creation sort alike.
CREATE OR REPLACE FUNCTION next_number(
    p_tenant uuid, p_series text, p_count integer DEFAULT 1, OUT last bigint, OUT assigned_at timestamptz,
        OUT summed bigint
) LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    -- The clock is read again after the wait for the row: a day that was closed meanwhile ended before this number.
    INSERT INTO tenant_counters AS c (tenant_id, name, value, assigned_at)
    VALUES (p_tenant, p_series, p_count, clock_timestamp())
    ON CONFLICT (tenant_id, name) DO UPDATE
        SET value = c.value + excluded.value, assigned_at = monotonic_now(c.assigned_at)
    RETURNING c.value, c.assigned_at, c.summed INTO last, assigned_at, summed;
END $$;
