-- Creates an item, or updates it if p has the version that it still has, and returns its id. p has the columns of the
-- item, its options in their order, and the staff who could perform it. Stock is only written where nothing is counted
-- yet. Staff who begin or end to perform it, or get another price or duration, are locked before it; those who end get
-- a new version of their schedule.
CREATE OR REPLACE FUNCTION save_item(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    n items := jsonb_populate_record(NULL::items, p - 'options' - 'performers' - 'actor');
    v_next integer; -- place in the list
    v_old items;
    v_new items;
    v_before jsonb;
    v_published json;
    v_opening jsonb := jsonb_build_object('reason', 'opening', 'actor', p -> 'actor');
    v_team uuid[] := changed_performers(p_tenant, (p ->> 'id')::uuid, p -> 'performers');
    v_staff json[];
    v_removed uuid[] := ARRAY(
        SELECT g.staff_id FROM jsonb_to_recordset(p -> 'performers') AS g (staff_id uuid, performs boolean)
        JOIN staff_services s ON s.tenant_id = p_tenant AND s.item_id = (p ->> 'id')::uuid AND s.staff_id = g.staff_id
        WHERE NOT g.performs);
BEGIN
    v_staff := lock_performers(p_tenant, v_team);
    IF v_removed <> '{}' THEN
        UPDATE staff SET schedule_version = schedule_version + 1 WHERE tenant_id = p_tenant AND id = ANY (v_removed);
    END IF;
    IF n.version IS NULL THEN
        SELECT coalesce(max(sort_order) + 1, 0) INTO v_next FROM items WHERE tenant_id = p_tenant;
        INSERT INTO items (tenant_id, id, branch_id, type, name, name_search, slug, price, duration, stock, sort_order,
            version)
        VALUES (p_tenant, n.id, n.branch_id, n.type, n.name, n.name_search, n.slug, n.price, n.duration, n.stock,
            v_next, 0);
    ELSE
        SELECT * INTO v_old FROM items
        WHERE tenant_id = p_tenant AND id = n.id AND version = n.version FOR NO KEY UPDATE;
        IF NOT FOUND THEN
            PERFORM raise_outdated();
        END IF;
        v_before := item_snapshot(p_tenant, n.id);
        v_published := item_document(p_tenant, n.id);
    END IF;
    IF v_old.stock IS NULL THEN
        PERFORM insert_stock_movement(p_tenant, n.id, NULL, n.stock, n.stock, v_opening);
    END IF;
    UPDATE items SET branch_id = n.branch_id, category_id = n.category_id, tax_class_id = n.tax_class_id, sku = n.sku,
        barcode = n.barcode, name = n.name, name_search = n.name_search, description = n.description,
        html_description = CASE WHEN description IS DISTINCT FROM n.description THEN n.html_description
            ELSE html_description END,
        picture_id = n.picture_id, status = n.status, price = n.price, offer_price = n.offer_price,
        offer_from = n.offer_from, offer_until = n.offer_until, duration = n.duration, buffer_before = n.buffer_before,
        buffer_after = n.buffer_after, base_sellable = n.base_sellable, cost = n.cost, supplier = n.supplier,
        low_stock = n.low_stock, stock = coalesce(stock, n.stock), version = version + 1,
        updated_at = monotonic_now(updated_at)
    WHERE tenant_id = p_tenant AND id = n.id;
    PERFORM write_item_options(p_tenant, n.id, p -> 'options', v_opening);
    PERFORM write_performers(p_tenant, n.id, p -> 'performers');
    PERFORM swap_picture(p_tenant, v_old.picture_id, n.picture_id);
    SELECT * INTO v_new FROM items WHERE tenant_id = p_tenant AND id = n.id;
    PERFORM record_activity(p_tenant, p -> 'actor', CASE WHEN v_before IS NULL THEN 'item.created'
        ELSE 'item.updated' END,
        n.id, localized(n.name), v_before, item_snapshot(p_tenant, n.id));
    IF v_before IS NULL THEN
        PERFORM add_row_count(p_tenant, 'items', 1);
    END IF;
    PERFORM emit_change(p_tenant, CASE WHEN v_before IS NULL THEN 'item.created' ELSE 'item.updated' END, v_published,
        item_document(p_tenant, n.id));
    PERFORM emit_performers(p_tenant, v_team, v_staff);
    IF v_before IS NOT NULL AND v_old.stock IS DISTINCT FROM v_new.stock THEN
        PERFORM emit_events(p_tenant, ARRAY['item.stock_changed'], ARRAY[stock_changed_json(v_new, v_old.stock)]);
    END IF;
    RETURN n.id;
END $$;
