-- Whether a request holds the key now, and otherwise whether a response is stored under it: both as of the end of this
-- call, because each statement sees what was committed before it. Nothing stays locked.
CREATE OR REPLACE FUNCTION idempotency_key_state(p_tenant uuid, p_caller uuid, p_key text) RETURNS text
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_lock bigint := hashtextextended(p_caller || p_key, 0); -- as claim_idempotency_key takes it
BEGIN
    IF NOT pg_try_advisory_lock_shared(v_lock) THEN
        RETURN 'held';
    END IF;
    PERFORM pg_advisory_unlock_shared(v_lock);
    PERFORM FROM idempotency_records
    WHERE tenant_id = p_tenant AND caller_id = p_caller AND key = p_key AND created_at > now() - interval '24 hours';
    RETURN CASE WHEN FOUND THEN 'stored' ELSE 'unknown' END;
END $$;
