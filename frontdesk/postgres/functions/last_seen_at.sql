-- When a user last used the dashboard. A statement about a tenant cannot read sessions itself: they are on another
-- node.
CREATE OR REPLACE FUNCTION last_seen_at(p_user uuid) RETURNS timestamptz LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT max(s.last_seen_at) FROM sessions s WHERE s.user_id = p_user);
END $$;
