-- Counts one request of a caller; nothing where the limit is null. The row stays locked until the transaction ends, so
-- a statement passes a column of its read as p_after, which makes the read come first.
CREATE OR REPLACE FUNCTION consume_rate_limit(
    p_tenant uuid, p_caller uuid, p_limit integer, p_after boolean DEFAULT NULL,
    OUT total integer, OUT blocked_until timestamptz, OUT resets_at timestamptz
) LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v rate_window;
BEGIN
    IF p_limit IS NULL THEN
        RETURN;
    END IF;
    LOOP
        SELECT w.bucket_ends, w.bucket_counts, w.total, w.blocked_until INTO v FROM rate_windows w
        WHERE w.tenant_id = p_tenant AND w.caller_id = p_caller FOR NO KEY UPDATE;
        EXIT WHEN FOUND;
        INSERT INTO rate_windows (tenant_id, caller_id, bucket_ends, bucket_counts, total)
        VALUES (p_tenant, p_caller, '{}', '{}', 0) ON CONFLICT DO NOTHING;
    END LOOP;
    v := count_request(v, p_limit);
    UPDATE rate_windows w SET bucket_ends = v.bucket_ends, bucket_counts = v.bucket_counts, total = v.total,
        blocked_until = v.blocked_until
    WHERE w.tenant_id = p_tenant AND w.caller_id = p_caller;
    total := v.total;
    blocked_until := v.blocked_until;
    resets_at := v.bucket_ends[1] + interval '1 minute';
END $$;
