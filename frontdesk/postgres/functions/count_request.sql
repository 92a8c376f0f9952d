-- Adds one request to a sliding minute, or sets blocked_until when the limit is reached. The caller holds the row's
-- lock, so the clock is read inside the lock and two requests can never both use the last one of the limit.
CREATE OR REPLACE FUNCTION count_request(w rate_window,
    p_limit integer) RETURNS rate_window LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_now timestamptz := pg_catalog.clock_timestamp();
    v_last integer;
BEGIN
    WHILE w.bucket_ends[1] <= v_now - interval '1 minute' LOOP
        w.total := w.total - w.bucket_counts[1];
        w.bucket_ends := w.bucket_ends[2:];
        w.bucket_counts := w.bucket_counts[2:];
    END LOOP;
    IF w.total >= p_limit THEN
        w.blocked_until := w.bucket_ends[1] + interval '1 minute';
        RETURN w;
    END IF;
    v_last := cardinality(w.bucket_ends);
    w.total := w.total + 1;
    w.blocked_until := NULL;
    IF date_trunc('second', v_now) = date_trunc('second', w.bucket_ends[v_last]) THEN
        w.bucket_ends[v_last] := v_now;
        w.bucket_counts[v_last] := w.bucket_counts[v_last] + 1;
    ELSE
        w.bucket_ends[v_last + 1] := v_now;
        w.bucket_counts[v_last + 1] := 1;
    END IF;
    RETURN w;
END $$;
