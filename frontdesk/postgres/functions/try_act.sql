-- A dry run: does what run_act does, up to the commit, and takes all of it back. Returns the document, empty if there
-- is none, then the type and the data of each event that would be emitted and that p_caller may see, in their order.
-- What others emit meanwhile has numbers after v_before too, but is still there when ours is taken back.
-- It is one call for the same reasons as run_act.
CREATE OR REPLACE FUNCTION try_act(
    p_tenant uuid, p_function text, p_document text, p_argument jsonb, p_id uuid, p_caller uuid
) RETURNS text[] LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_document text := '';
    v_before bigint;
    v_ids uuid[];
    v_types text[];
    v_data text[];
BEGIN
    IF current_setting('lock_timeout') = '0' THEN
        PERFORM set_config('lock_timeout', '3s', true), set_config('timezone', 'UTC', true);
    END IF;
    SELECT value INTO v_before FROM tenant_counters WHERE tenant_id = p_tenant AND name = 'events';
    BEGIN
        IF p_function IS NOT NULL THEN
            EXECUTE format('SELECT %I($1, $2)', p_function) USING p_tenant, p_argument;
        END IF;
        IF p_argument ? 'custom_data' THEN
            PERFORM save_custom_data(p_tenant, p_id, p_argument -> 'custom_data', p_argument -> 'actor');
        END IF;
        IF p_document IS NOT NULL THEN
            v_document := answer_document(p_tenant, p_document, p_id, p_argument -> 'actor');
        END IF;
        SELECT array_agg(id ORDER BY sequence), array_agg(type ORDER BY sequence),
            array_agg(data::text ORDER BY sequence)
        INTO v_ids, v_types, v_data FROM events
        WHERE tenant_id = p_tenant AND sequence > coalesce(v_before, 0)
            AND (visible_to_client_id IS NULL OR visible_to_client_id = p_caller)
            AND type <> 'order.arrived'; -- only for open pages
        RAISE EXCEPTION 'taken back' USING ERRCODE = 'FD009';
    EXCEPTION WHEN SQLSTATE 'FD009' THEN -- not FD000, which would catch every FD…
        NULL; -- what the variables hold stays
    END;
    RETURN ARRAY[v_document] || ARRAY(
        SELECT unnest(ARRAY[own.type, own.data])
        FROM unnest(v_ids, v_types, v_data) WITH ORDINALITY AS own (id, type, data, position)
        WHERE NOT EXISTS (SELECT FROM events e WHERE e.tenant_id = p_tenant AND e.id = own.id)
        ORDER BY own.position);
END $$;
