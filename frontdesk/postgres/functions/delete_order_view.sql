-- Deletes a saved view of the list of orders and returns its id.
CREATE OR REPLACE FUNCTION delete_order_view(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_view order_views;
BEGIN
    DELETE FROM order_views WHERE tenant_id = p_tenant AND id = (p ->> 'id')::uuid
        AND version = (p ->> 'version')::integer RETURNING * INTO v_view;
    IF NOT FOUND THEN
        PERFORM raise_outdated();
    END IF;
    PERFORM record_activity(p_tenant, p -> 'actor', 'order_view.deleted', v_view.id, v_view.name);
    RETURN v_view.id;
END $$;
