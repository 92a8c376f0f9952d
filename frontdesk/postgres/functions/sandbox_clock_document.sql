-- The published form of the clock of a sandbox. Null for other businesses. It is read from the table and not from the
-- session, which is at the time before the clock was moved.
CREATE OR REPLACE FUNCTION sandbox_clock_document(p_tenant uuid, p_id uuid) RETURNS json
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_ahead bigint;
BEGIN
    SELECT coalesce(clock_ahead, 0) INTO v_ahead FROM tenants WHERE id = p_tenant AND id = p_id AND is_sandbox;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    RETURN json_build_object(
        'now', format_utc(pg_catalog.clock_timestamp() + make_interval(secs => v_ahead)), 'seconds_ahead', v_ahead);
END $$;
