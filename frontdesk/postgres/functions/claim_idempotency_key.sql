-- Claims an Idempotency-Key for the transaction; false where a stored response exists. A request with the same key
-- waits here until the transaction ends. The transaction may claim the key again. store_response writes the record.
CREATE OR REPLACE FUNCTION claim_idempotency_key(p_tenant uuid, p_caller uuid, p_key text) RETURNS boolean
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended(p_caller || p_key, 0));
    PERFORM FROM idempotency_records
    WHERE tenant_id = p_tenant AND caller_id = p_caller AND key = p_key AND created_at > now() - interval '24 hours';
    RETURN NOT FOUND;
END $$;
