-- Stores the response of the request that claimed the key, and returns it. Where p_stored is given, it is stored instead
-- of the response. p_secret is the encrypted secret that is added to the response.
CREATE OR REPLACE FUNCTION store_response(
    p_tenant uuid, p_caller uuid, p_key text, p_status smallint, p_body bytea, p_stored bytea, p_secret bytea
) RETURNS bytea LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    UPDATE idempotency_records SET status = p_status, body = coalesce(p_stored, p_body), secret = p_secret
    WHERE tenant_id = p_tenant AND caller_id = p_caller AND key = p_key;
    RETURN p_body;
END $$;
