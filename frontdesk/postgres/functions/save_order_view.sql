-- Creates a saved view of the list of orders, or changes one, and returns its id. Without a version it is new.
CREATE OR REPLACE FUNCTION save_order_view(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_id uuid := (p ->> 'id')::uuid;
    v_before jsonb;
    v_after order_views;
BEGIN
    IF p ->> 'version' IS NULL THEN
        INSERT INTO order_views (tenant_id, id, user_id, name, query)
        VALUES (p_tenant, v_id, (p ->> 'user_id')::uuid, p ->> 'name', p ->> 'query') RETURNING * INTO v_after;
    ELSE
        SELECT to_jsonb(v) INTO v_before FROM order_views v
        WHERE tenant_id = p_tenant AND id = v_id AND version = (p ->> 'version')::integer FOR NO KEY UPDATE;
        IF NOT FOUND THEN
            PERFORM raise_outdated();
        END IF;
        UPDATE order_views SET name = p ->> 'name', query = p ->> 'query', updated_at = monotonic_now(updated_at),
            version = version + 1
        WHERE tenant_id = p_tenant AND id = v_id RETURNING * INTO v_after;
    END IF;
    PERFORM record_activity(p_tenant, p -> 'actor',
        CASE WHEN v_before IS NULL THEN 'order_view.created' ELSE 'order_view.updated' END, v_id, v_after.name,
        v_before - 'user_id', to_jsonb(v_after) - 'user_id');
    RETURN v_id;
END $$;
