-- Deletes an item that no order contains, and returns its id. The foreign keys of orders and packages hold what is in
-- use.
CREATE OR REPLACE FUNCTION delete_item(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_id uuid := (p ->> 'id')::uuid;
    v_before jsonb := item_snapshot(p_tenant, v_id);
    v_published json := item_document(p_tenant, v_id);
    v_team uuid[];
    v_staff json[];
    i items;
BEGIN
    v_team := ARRAY(SELECT staff_id FROM staff_services WHERE tenant_id = p_tenant AND item_id = v_id);
    v_staff := lock_performers(p_tenant, v_team);
    PERFORM FROM items WHERE tenant_id = p_tenant AND id = v_id FOR UPDATE;
    IF EXISTS (SELECT FROM package_items WHERE tenant_id = p_tenant AND item_id = v_id) THEN
        PERFORM raise_outdated();
    END IF;
    PERFORM record_deletion(p_tenant, 'waiting_list_entry', id, clock_timestamp()) FROM waiting_list
    WHERE tenant_id = p_tenant AND item_id = v_id; -- they go with the service
    DELETE FROM items WHERE tenant_id = p_tenant AND id = v_id AND version = (p ->> 'version')::integer RETURNING *
        INTO i;
    IF NOT FOUND THEN
        PERFORM raise_outdated();
    END IF;
    PERFORM swap_picture(p_tenant, i.picture_id, NULL);
    PERFORM record_activity(p_tenant, p -> 'actor', 'item.deleted', v_id, localized(i.name), v_before, NULL);
    PERFORM add_row_count(p_tenant, 'items', -1);
    PERFORM emit_change(p_tenant, 'item.deleted', v_published, NULL);
    PERFORM emit_performers(p_tenant, v_team, v_staff);
    RETURN v_id;
END $$;
