ALTER TABLE tenants ADD COLUMN suspended_reason text; -- for operators

-- When a token was last used, to the minute, written beside the requests. It decides nothing about the token, so the
-- edition stays.
ALTER TABLE access_tokens ADD COLUMN last_used_at timestamptz;
DROP TRIGGER publish_updated ON access_tokens;
CREATE TRIGGER publish_updated AFTER UPDATE OF client_id, secret_version, scopes, expires_at, revoked_at ON access_tokens
    FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION publish_changed_row();
