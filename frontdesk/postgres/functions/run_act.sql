-- Runs the database function of an act and returns the document, empty if it has none. With an Idempotency-Key the
-- response is stored; null where one is stored already. Without a function nothing is written.
-- All of it is one function: Citus sends a call to the tenant's node if it is a statement by itself and no transaction
-- is open. The connections between nodes have none of our settings, which a write needs on every node.
CREATE OR REPLACE FUNCTION run_act(
    p_tenant uuid, p_function text, p_document text, p_argument jsonb, p_id uuid, p_caller uuid, p_key text,
    p_fingerprint bytea, p_status smallint, p_stored bytea, p_secret bytea
) RETURNS bytea LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_document text := '';
BEGIN
    IF current_setting('lock_timeout') = '0' THEN
        PERFORM set_config('lock_timeout', '3s', true), set_config('timezone', 'UTC', true);
    END IF;
    IF p_key IS NOT NULL AND NOT claim_idempotency_key(p_tenant, p_caller, p_key) THEN
        RETURN NULL;
    END IF;
    IF p_function IS NOT NULL THEN
        EXECUTE format('SELECT %I($1, $2)', p_function) USING p_tenant, p_argument;
    END IF;
    IF p_argument ? 'custom_data' THEN
        PERFORM save_custom_data(p_tenant, p_id, p_argument -> 'custom_data', p_argument -> 'actor');
    END IF;
    IF p_document IS NOT NULL THEN
        v_document := answer_document(p_tenant, p_document, p_id, p_argument -> 'actor');
    END IF;
    IF p_key IS NULL THEN
        RETURN convert_to(v_document, 'UTF8');
    END IF;
    RETURN store_response(p_tenant, p_caller, p_key, p_fingerprint, p_status, convert_to(v_document, 'UTF8'), p_stored,
        p_secret);
END $$;
