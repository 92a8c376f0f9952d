-- Finds the caller of the POS API by the hash of its API key; a single SELECT with `allowed`, as
-- authenticate_access_token.
CREATE OR REPLACE FUNCTION authenticate_api_key(p_tenant uuid, p_key_hash bytea, p_default_limit integer)
RETURNS SETOF api_caller LANGUAGE sql STABLE AS $$
    SELECT n.id, n.timezone, n.currency, n.currency_decimals::integer, n.languages, n.grid_minutes::integer, k.id,
        '{}'::text[], NULL::text[], k.branch_id, n.suspended_at IS NOT NULL, NULL::boolean,
        coalesce(k.rate_limit, p_default_limit),
        n.suspended_at IS NULL AND n.clock_ahead IS NOT DISTINCT FROM session_clock()
            AND NOT coalesce(
                w.total >= coalesce(k.rate_limit, p_default_limit)
                    AND w.blocked_until > pg_catalog.statement_timestamp(), false),
        n.prices_include_tax, n.clock_ahead, n.has_faults
    FROM api_keys k
    JOIN tenants n ON n.id = p_tenant
    LEFT JOIN rate_windows w ON w.tenant_id = p_tenant AND w.caller_id = k.id
    WHERE k.tenant_id = p_tenant AND k.key_hash = p_key_hash AND k.revoked_at IS NULL
        AND (k.expires_at IS NULL OR k.expires_at > now())
$$;
