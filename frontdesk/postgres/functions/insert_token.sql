-- Stores an access token, and returns how many valid tokens the client had before.
CREATE OR REPLACE FUNCTION insert_token(
    p_tenant uuid, p_token_hash bytea, p_client uuid, p_secret_version integer, p_scopes text[], p_lifetime interval
) RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_before bigint;
BEGIN
    SELECT count(*) INTO v_before FROM access_tokens
    WHERE tenant_id = p_tenant AND client_id = p_client AND revoked_at IS NULL AND expires_at > now();
    INSERT INTO access_tokens (tenant_id, token_hash, client_id, secret_version, scopes, expires_at)
    VALUES (p_tenant, p_token_hash, p_client, p_secret_version, p_scopes, now() + p_lifetime);
    RETURN v_before;
END $$;
