-- Counts one request of a caller; nothing where the limit is null. The row stays locked until the transaction ends, so a
-- statement passes a column of its read as p_after, which makes the read come first.
CREATE OR REPLACE FUNCTION consume_rate_limit(
    p_tenant uuid, p_caller uuid, p_limit integer, p_after boolean DEFAULT NULL,
    OUT total integer, OUT blocked_until timestamptz, OUT resets_at timestamptz
) LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
BEGIN
    IF p_limit IS NULL THEN
        RETURN;
    END IF;
    INSERT INTO rate_windows AS w (tenant_id, caller_id, bucket_ends, bucket_counts, total)
    VALUES (p_tenant, p_caller, ARRAY[clock_timestamp()], ARRAY[1], 1)
    ON CONFLICT (tenant_id, caller_id) DO UPDATE
        SET (bucket_ends, bucket_counts, total, blocked_until) = (
            SELECT (n.counted).* FROM (
                SELECT count_request(ROW(w.bucket_ends, w.bucket_counts, w.total, w.blocked_until)::rate_window, p_limit)
                    AS counted
                OFFSET 0) n)
    RETURNING w.total, w.blocked_until, w.bucket_ends[1] + interval '1 minute'
    INTO consume_rate_limit.total, consume_rate_limit.blocked_until, consume_rate_limit.resets_at;
END $$;
