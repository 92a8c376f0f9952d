-- Finds a session by the hash of its token: its user, the current tenant and the role in it; no row for unknown and
-- ended ones. Updates the time of last use once a minute. Sessions and tenants can be on different nodes, so each is
-- read by itself.
CREATE OR REPLACE FUNCTION find_user_session(p_token_hash bytea, p_address text, p_idle interval, p_recent interval)
RETURNS TABLE (
    session_id uuid, is_recent boolean, has_second_factor boolean, user_id uuid, email text, user_name text,
        language text,
    is_operator boolean, has_proven_email boolean, tenant_count bigint, role text, staff_id uuid, tenant_id uuid,
    business_name text, plan text, is_sandbox boolean, is_suspended boolean, requires_second_factor boolean,
    is_set_up boolean, timezone text, currency text, currency_decimals integer, languages text[], grid_minutes integer,
    last_event bigint, branches json, unseen integer, clock_ahead bigint
) LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_tenant uuid;
    v_last_seen timestamptz;
    v_until timestamptz := pg_catalog.now() + p_idle;
BEGIN
    SELECT s.id, s.authenticated_at > pg_catalog.now() - p_recent,
        EXISTS (SELECT FROM second_factors f WHERE f.user_id = s.user_id),
        u.id, u.email, u.name, u.language, u.is_operator, u.email_verified_at IS NOT NULL, s.tenant_id, s.last_seen_at
    INTO session_id, is_recent, has_second_factor, user_id, email, user_name, language, is_operator, has_proven_email,
        v_tenant, v_last_seen
    FROM sessions s JOIN users u ON u.id = s.user_id AND u.disabled_at IS NULL
    WHERE s.token_hash = p_token_hash AND s.ended_at IS NULL AND s.expires_at > pg_catalog.now();
    IF NOT FOUND THEN
        RETURN;
    END IF;
    IF v_last_seen < pg_catalog.now() - interval '1 minute' THEN
        UPDATE sessions s SET last_seen_at = pg_catalog.now(), address = p_address,
            expires_at = CASE WHEN s.remember_me THEN s.expires_at ELSE v_until END
        WHERE s.id = find_user_session.session_id;
    END IF;
    SELECT count(*) INTO tenant_count FROM memberships m WHERE m.user_id = find_user_session.user_id;
    SELECT m.role, m.staff_id, n.id, n.name, n.plan, n.is_sandbox, n.suspended_at IS NOT NULL, n.requires_second_factor,
        n.setup_hidden_at IS NOT NULL, n.timezone, n.currency, n.currency_decimals, n.languages, n.grid_minutes,
        coalesce(c.value, 0), n.clock_ahead, (SELECT json_agg(json_build_array(b.id, b.name) ORDER BY b.name, b.id)
            FROM branches b WHERE b.tenant_id = v_tenant AND b.status)
    INTO role, staff_id, tenant_id, business_name, plan, is_sandbox, is_suspended, requires_second_factor,
        is_set_up, timezone, currency, currency_decimals, languages, grid_minutes, last_event, clock_ahead,
        branches
    FROM memberships m JOIN tenants n ON n.id = v_tenant
    LEFT JOIN tenant_counters c ON c.tenant_id = v_tenant AND c.name = 'events'
    WHERE m.tenant_id = v_tenant AND m.user_id = find_user_session.user_id;
    SELECT count(*) INTO unseen FROM (
        SELECT FROM notifications f WHERE f.tenant_id = v_tenant AND f.user_id = find_user_session.user_id
            AND f.on_bell AND f.seen_at IS NULL LIMIT 100) counted;
    RETURN NEXT;
END $$;
