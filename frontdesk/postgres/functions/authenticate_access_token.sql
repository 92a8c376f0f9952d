-- Finds the caller of the Open API by the hash of its access token; no row for unknown, expired and revoked ones.
-- `allowed` is false where the request will be refused anyway (suspended tenant, plan without the Open API, rate limit
-- used up) or asked again, because this session is not at the time of the business; nothing is read for it then. The
-- rate limit is read without a lock: consume_rate_limit decides.
-- A single SELECT, which PostgreSQL makes part of the statement that calls it.
CREATE OR REPLACE FUNCTION authenticate_access_token(p_tenant uuid, p_token_hash bytea, p_default_limit integer)
RETURNS SETOF api_caller LANGUAGE sql STABLE AS $$
    SELECT n.id, n.timezone, n.currency, n.currency_decimals::integer, n.languages, n.grid_minutes::integer, c.id,
        c.scopes,
        t.scopes, NULL::uuid, n.suspended_at IS NOT NULL, n.open_api, coalesce(c.rate_limit, p_default_limit),
        n.suspended_at IS NULL AND n.open_api AND n.clock_ahead IS NOT DISTINCT FROM session_clock()
            AND NOT coalesce(
                w.total >= coalesce(c.rate_limit, p_default_limit)
                    AND w.blocked_until > pg_catalog.statement_timestamp(), false),
        n.prices_include_tax, n.clock_ahead, n.has_faults
    FROM access_tokens t
    JOIN api_clients c ON c.tenant_id = p_tenant AND c.id = t.client_id
    JOIN tenants n ON n.id = p_tenant
    LEFT JOIN rate_windows w ON w.tenant_id = p_tenant AND w.caller_id = c.id
    WHERE t.tenant_id = p_tenant AND t.token_hash = p_token_hash AND t.revoked_at IS NULL AND t.expires_at > now()
        AND c.disabled_at IS NULL AND c.disconnected_at IS NULL AND (t.secret_version = c.secret_version
            OR t.secret_version = c.secret_version - 1 AND c.previous_secret_until > now())
$$;
