-- Copies an item with its options, performers and picture, and returns the id of the copy: off sale, with nothing in
-- stock where it is counted, and without codes, which are unique.
CREATE OR REPLACE FUNCTION copy_item(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_id uuid := (p ->> 'id')::uuid;
    i items;
    v_team uuid[] := ARRAY(
        SELECT staff_id FROM staff_services WHERE tenant_id = p_tenant AND item_id = (p ->> 'source_id')::uuid);
    v_staff json[];
BEGIN
    v_staff := lock_performers(p_tenant, v_team);
    SELECT * INTO i FROM items WHERE tenant_id = p_tenant AND id = (p ->> 'source_id')::uuid;
    IF NOT FOUND THEN
        PERFORM raise_outdated();
    END IF;
    IF i.picture_id IS NOT NULL THEN
        INSERT INTO pictures (tenant_id, id, media_type, width, height, content, thumbnail, object_id, content_hash,
            thumbnail_hash)
        SELECT p_tenant, (p ->> 'picture_id')::uuid, media_type, width, height, content, thumbnail, object_id,
            content_hash, thumbnail_hash
        FROM pictures WHERE tenant_id = p_tenant AND id = i.picture_id;
    END IF;
    INSERT INTO items SELECT (jsonb_populate_record(i, jsonb_build_object(
        'id', v_id, 'name', p -> 'name', 'name_search', p -> 'name_search', 'slug', p -> 'slug', 'sku', NULL,
        'barcode', NULL, 'status', false, 'version', 1, 'stock', CASE WHEN i.stock IS NOT NULL THEN 0 END,
        'picture_id', CASE WHEN i.picture_id IS NOT NULL THEN p -> 'picture_id' END,
        'pinned_at', NULL, 'created_at', now(), 'updated_at', now()))).*;
    INSERT INTO item_options (tenant_id, id, item_id, name, price, offer_price, is_active, duration, quantity,
        low_stock,
        sort_order)
    SELECT p_tenant, uuid_v7(clock_timestamp()), v_id, name, price, offer_price, is_active, duration,
        CASE WHEN quantity IS NOT NULL THEN 0 END, low_stock, sort_order
    FROM item_options WHERE tenant_id = p_tenant AND item_id = i.id;
    INSERT INTO staff_services (tenant_id, staff_id, item_id, price, duration)
    SELECT p_tenant, staff_id, v_id, price, duration FROM staff_services
    WHERE tenant_id = p_tenant AND item_id = i.id AND staff_id = ANY (v_team);
    PERFORM record_activity(p_tenant, p -> 'actor', 'item.created', v_id, localized(p -> 'name'), NULL,
        item_snapshot(p_tenant, v_id));
    PERFORM add_row_count(p_tenant, 'items', 1);
    PERFORM emit_change(p_tenant, 'item.created', NULL, item_document(p_tenant, v_id));
    PERFORM emit_performers(p_tenant, v_team, v_staff);
    RETURN v_id;
END $$;
