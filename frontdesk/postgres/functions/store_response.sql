-- Stores the response of the request that claimed the key, and returns it. Where p_stored is given, it is stored
-- instead of the response. p_secret is the encrypted secret that is added to the response. A record that has expired is
-- replaced. Another one can only be from a node of a distributed database that has locks of its own.
CREATE OR REPLACE FUNCTION store_response(
    p_tenant uuid, p_caller uuid, p_key text, p_fingerprint bytea, p_status smallint, p_body bytea, p_stored bytea,
    p_secret bytea
) RETURNS bytea LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_expired timestamptz := now() - interval '24 hours';
BEGIN
    INSERT INTO idempotency_records AS r (tenant_id, caller_id, key, fingerprint, status, body, secret)
    VALUES (p_tenant, p_caller, p_key, p_fingerprint, p_status, coalesce(p_stored, p_body), p_secret)
    ON CONFLICT (tenant_id, caller_id, key) DO UPDATE
        SET fingerprint = excluded.fingerprint, status = excluded.status, body = excluded.body,
            secret = excluded.secret,
            created_at = excluded.created_at
        WHERE r.created_at <= v_expired;
    IF NOT FOUND THEN
        PERFORM raise_outdated();
    END IF;
    RETURN p_body;
END $$;
