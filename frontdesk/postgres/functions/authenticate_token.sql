-- Finds the caller of the Open API by the hash of its access token. `allowed` is false where the request will be refused
-- anyway (suspended tenant, plan without the Open API, rate limit used up), so that nothing is read for it. The rate limit
-- is read without a lock: consume_rate_limit decides.
CREATE OR REPLACE FUNCTION authenticate_token(p_tenant uuid, p_token_hash bytea, p_default_limit integer)
RETURNS caller_context LANGUAGE plpgsql STABLE AS $$
DECLARE
    t access_tokens;
    c api_clients;
    n tenants;
    v caller_context;
    v_blocked boolean;
BEGIN
    SELECT * INTO t FROM access_tokens WHERE tenant_id = p_tenant AND token_hash = p_token_hash;
    IF t.revoked_at IS NOT NULL OR t.expires_at <= now() OR NOT FOUND THEN
        RETURN v;
    END IF;
    SELECT * INTO c FROM api_clients WHERE tenant_id = p_tenant AND id = t.client_id;
    IF c.disabled_at IS NOT NULL OR c.disconnected_at IS NOT NULL OR t.secret_version <> c.secret_version
        AND NOT (t.secret_version = c.secret_version - 1 AND coalesce(c.previous_secret_until > now(), false)) THEN
        RETURN v;
    END IF;
    SELECT * INTO n FROM tenants WHERE id = p_tenant;
    v := (n.id, n.timezone, n.currency, n.currency_decimals, n.languages, n.grid_minutes, c.id, c.scopes, t.scopes, NULL,
          n.suspended_at IS NOT NULL, n.open_api, coalesce(c.rate_limit, p_default_limit), NULL);
    SELECT w.total >= v.rate_limit AND w.blocked_until > clock_timestamp() INTO v_blocked
    FROM rate_windows w WHERE w.tenant_id = p_tenant AND w.caller_id = c.id;
    v.allowed := n.suspended_at IS NULL AND n.open_api AND NOT coalesce(v_blocked, false);
    RETURN v;
END $$;
