-- Claims an Idempotency-Key for the transaction; false where a stored response exists. A request with the same key
-- waits here until the transaction ends. A record without a status is the transaction's own: it may claim again.
CREATE OR REPLACE FUNCTION claim_idempotency_key(p_tenant uuid, p_caller uuid, p_key text, p_fingerprint bytea)
RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_expired timestamptz := now() - interval '24 hours';
BEGIN
    INSERT INTO idempotency_records AS r (tenant_id, caller_id, key, fingerprint, status, body)
    VALUES (p_tenant, p_caller, p_key, p_fingerprint, 0, '')
    ON CONFLICT (tenant_id, caller_id, key) DO UPDATE
        SET fingerprint = excluded.fingerprint, status = 0, body = '', secret = NULL, created_at = excluded.created_at
        WHERE r.created_at <= v_expired OR r.status = 0;
    RETURN FOUND;
END $$;
