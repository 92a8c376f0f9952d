-- Stores when access tokens were last used, to the minute. A token that another transaction has locked is skipped, so
-- this neither waits nor deadlocks.
CREATE OR REPLACE FUNCTION add_token_uses(p_tenants uuid[], p_hashes bytea[], p_times timestamptz[])
RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_tenant uuid;
    v_hash bytea;
    v_time timestamptz;
    v_found boolean;
BEGIN
    FOR v_tenant, v_hash, v_time IN SELECT * FROM unnest(p_tenants, p_hashes, p_times) LOOP
        SELECT true INTO v_found FROM access_tokens
        WHERE tenant_id = v_tenant AND token_hash = v_hash
            AND (last_used_at IS NULL OR last_used_at < v_time - interval '1 minute')
        FOR NO KEY UPDATE SKIP LOCKED;
        IF v_found THEN
            UPDATE access_tokens SET last_used_at = v_time WHERE tenant_id = v_tenant AND token_hash = v_hash;
        END IF;
    END LOOP;
END $$;
