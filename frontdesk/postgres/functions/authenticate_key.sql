-- Finds the caller of the POS API by the hash of its API key; `allowed` as in authenticate_token.
CREATE OR REPLACE FUNCTION authenticate_key(p_tenant uuid, p_key_hash bytea, p_default_limit integer)
RETURNS caller_context LANGUAGE plpgsql STABLE AS $$
DECLARE
    k api_keys;
    n tenants;
    v caller_context;
    v_blocked boolean;
BEGIN
    SELECT * INTO k FROM api_keys WHERE tenant_id = p_tenant AND key_hash = p_key_hash;
    IF k.revoked_at IS NOT NULL OR k.expires_at <= now() OR NOT FOUND THEN
        RETURN v;
    END IF;
    SELECT * INTO n FROM tenants WHERE id = p_tenant;
    v := (n.id, n.timezone, n.currency, n.currency_decimals, n.languages, n.grid_minutes, k.id, '{}'::text[], NULL,
          k.branch_id, n.suspended_at IS NOT NULL, NULL, coalesce(k.rate_limit, p_default_limit), NULL);
    SELECT w.total >= v.rate_limit AND w.blocked_until > clock_timestamp() INTO v_blocked
    FROM rate_windows w WHERE w.tenant_id = p_tenant AND w.caller_id = k.id;
    v.allowed := n.suspended_at IS NULL AND NOT coalesce(v_blocked, false);
    RETURN v;
END $$;
