-- Whether the caller's next request would exceed its limit. It takes no lock: consume_rate_limit decides.
CREATE OR REPLACE FUNCTION is_rate_limited(p_tenant uuid, p_caller uuid, p_limit integer)
RETURNS boolean LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_blocked boolean;
BEGIN
    SELECT total >= p_limit AND blocked_until > clock_timestamp() INTO v_blocked
    FROM rate_windows WHERE tenant_id = p_tenant AND caller_id = p_caller;
    RETURN coalesce(v_blocked, false);
END $$;
